/** Sources: occupancy files, files of records and how they are written, config files, database addresses. */
export { type AmountForm, amountPattern, notDigits, plainAmount } from "./amounts.ts";
export { looksLikeAmount, SAMPLE_ROWS, type Sample } from "./cell-patterns.ts";
export type { ColumnType } from "./column-facts.ts";
export { type ConfigValues, configText, readConfigFile } from "./config-file.ts";
export {
  type CsvDialect,
  type DialectOptions,
  parseDelimiter,
  parseEncoding,
  type SniffedCsv,
  sniffCsv,
} from "./csv-dialect.ts";
export {
  checkParameters,
  type DatabaseKind,
  type DatabaseUrl,
  isThisMachine,
  parseDatabaseUrl,
} from "./database-url.ts";
export {
  checkFileNames,
  columnsOf,
  type DescribedFile,
  type DescribedTable,
  FILE_NAME,
  type FieldPaths,
  type FileLayout,
  flatten,
  isFileName,
  type JsonHead,
  NAME_IN_PATH,
  readJsonHead,
  type SourceDescription,
} from "./description.ts";
export { type FileHead, type FileKind, howToConvert, isPattern, NOT_UTF8, readFileHead } from "./file-head.ts";
export { type ColumnLook, type FirstLook, firstLook, type Guess } from "./guess-columns.ts";
export { guessTimeFormat, timeFormatAdvice } from "./guess-times.ts";
export { nativeHash, readOccupancyFile } from "./occupancy-file.ts";
export { hangUp, POSTGRES_LOGIN_PARAMETERS, type PostgresLogin, postgresLogin } from "./postgres-login.ts";
export {
  keepNewFilesPrivate,
  lockFile,
  modeByUsersMask,
  noTemporaryFiles,
  removeLeftFolders,
  TemporaryFolder,
} from "./private-files.ts";
export { reportingInterval } from "./reporting-interval.ts";
export { checkWhole } from "./whole-file.ts";
