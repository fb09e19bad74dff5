/** What is wrong with a record's place, in the same words from every engine. */
import { quoteForMessage } from "../../core/errors/index.ts";
import { type Place, readCell } from "../partition/index.ts";

/** `shown` is the text of the place's column, or of both with a comma between; places are public. */
export function placeTrouble(place: Place, shown: string): string {
  const column = `column ${quoteForMessage(place.kind === "columns" ? place.latitude : place.column)}`;
  const given = quoteForMessage(shown);
  if (place.kind === "cell") {
    const cell = readCell(shown);
    return cell === undefined
      ? `${column}: ${given} is no H3 cell; expected 15 hexadecimal digits, or the same number as an integer`
      : `${column}: ${given} is a cell of resolution ${cell.resolution}, which lies in no single one of resolution ${place.resolution}; use --h3 ${cell.resolution} or coarser, or leave --h3 out to take cells as they are`;
  }
  const [columns, wanted] =
    place.kind === "columns"
      ? [`${column} and ${quoteForMessage(place.longitude)}`, "latitude, longitude"]
      : [column, "[longitude, latitude]"];
  return `${columns}: ${given} is no place on Earth; expected ${wanted} in degrees, latitude within ±90 and longitude within ±180`;
}
