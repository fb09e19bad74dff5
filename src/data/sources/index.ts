/** What SOURCE may be: occupancy files, files of records and how they are written, config files. */
export { type AmountForm, amountPattern, notDigits, plainAmount } from "./amounts.ts";
export { looksLikeAmount } from "./cell-looks.ts";
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
  NAME_IN_PATH,
  SAMPLE_ROWS,
  type Sample,
  type SourceDescription,
} from "./description.ts";
export {
  type FileHead,
  type FileKind,
  howToConvert,
  isPattern,
  type JsonHead,
  NOT_UTF8,
  readFileHead,
  readJsonHead,
} from "./file-head.ts";
export { type ColumnLook, type FirstLook, firstLook, type Guess } from "./guess-columns.ts";
export { guessTimeFormat, timeFormatAdvice } from "./guess-times.ts";
export type { ColumnType } from "./look-column.ts";
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
