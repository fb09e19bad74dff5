/** The one place where plan, engine, noise and ledger meet. */
export {
  gridText,
  headerText,
  RESULT_FORMAT,
  type ReleasedGrid,
  type ReleasedStatistic,
  type ReleaseHeader,
  type ReleaseResult,
  readResult,
  resultText,
} from "./result.ts";
