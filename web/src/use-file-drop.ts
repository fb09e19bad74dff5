/** Adds a file dropped anywhere on the page as a dataset; without this, the browser would leave the page and show the file. */
import { useEffect } from "preact/hooks";
import { keepDroppedFile } from "./dropped-file.ts";
import { goTo, parseRoute } from "./router.ts";

export function useFileDrop(isWanted: boolean): void {
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    const allow = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault();
    };
    const take = (event: DragEvent): void => {
      // A drop zone that has taken it has said so.
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      // Beside the drop zone of its own page, a file could replace a form that is half filled.
      if (!isWanted || file === undefined || parseRoute(location.hash).place.page === "add") return;
      keepDroppedFile(file);
      goTo({ page: "add" });
    };
    addEventListener("dragover", allow);
    addEventListener("drop", take);
    return () => {
      removeEventListener("dragover", allow);
      removeEventListener("drop", take);
    };
  }, [isWanted]);
}
