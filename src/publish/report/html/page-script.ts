/** The page's few lines of script: sorts tables, changes the map's layer, and shows a hexagon's numbers on touch. */
export const PAGE_SCRIPT = `
document.documentElement.classList.add("scripted");
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const each of heads) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const numeric = head.classList.contains("number");
    const key = (row) => {
      const cell = row.cells[column];
      if (!numeric) return cell.textContent;
      return cell.dataset.order === "" ? null : Number(cell.dataset.order);
    };
    const rows = [...table.tBodies[0].rows].map((row) => [key(row), row]);
    rows.sort(([left], [right]) => {
      if (left === null || right === null) return (left === null) - (right === null);
      const order = left < right ? -1 : left > right ? 1 : 0;
      return down ? -order : order;
    });
    table.tBodies[0].append(...rows.map(([, row]) => row));
  }));
}
const layer = document.getElementById("layer");
const show = () => {
  for (const group of document.querySelectorAll("[data-layer]"))
    group.classList.toggle("vg-off", group.dataset.layer !== layer.value);
};
if (layer) { layer.addEventListener("change", show); show(); }
const chosen = document.getElementById("chosen");
document.querySelector(".vg-map svg")?.addEventListener("click", (event) => {
  const hexagon = event.target.closest(".vg-hex");
  if (!hexagon) return;
  for (const each of document.querySelectorAll(".vg-chosen")) each.classList.remove("vg-chosen");
  hexagon.classList.add("vg-chosen");
  chosen.textContent = hexagon.querySelector("title").textContent.split("\\n").join(" · ");
});
`;
