/** From a record to its grid: columns, hexagons and time slots, described neutrally so that each engine prints its own SQL. */
export {
  atLeast,
  below,
  both,
  type Condition,
  choice,
  type Expression,
  evaluate,
  type Fields,
  field,
  holds,
  integer,
  minus,
  plus,
  quotient,
  shiftedRight,
  smaller,
  times,
} from "./expression.ts";
export { gridId, parseGridId } from "./grid-id.ts";
export { gridNeighbours } from "./grid-neighbours.ts";
export { HexagonMapper } from "./hexagon/hexagon-mapper.ts";
export {
  type EmptyUser,
  epochUnit,
  type Hours,
  type Missing,
  type Place,
  parseRecipe,
  parseTimeFormat,
  partitionDepth,
  partNames,
  type Recipe,
  type RecipeFlags,
  type RecordTime,
  recipeColumns,
  type TimeFormat,
} from "./recipe.ts";
export { readRecipe, recipeJson } from "./recipe-json.ts";
export { parseSlot, type Slot, slotLabel, slotStart } from "./slot.ts";
export { readCell, STORED_CELL, storedCellExpression, storedCellIsSound, WRITTEN_CELL } from "./stored-cell.ts";
export {
  CLOCK,
  HAS_OFFSET,
  INSTANT,
  instantExpression,
  LOCAL,
  localExpression,
  slotStartExpression,
  timeFilter,
} from "./time-expressions.ts";
export { parseInstant, parseZone, type TimeZone } from "./time-zone.ts";
export {
  DATE_PATTERNS,
  type DateGrammar,
  type DatePart,
  dateGrammar,
  FIRST_SHORT_YEAR,
  MONTHS,
  writtenDate,
} from "./written-date.ts";
export { isNoNumber, isWrittenNumber, WRITTEN_NUMBER, withoutBlanks } from "./written-number.ts";
