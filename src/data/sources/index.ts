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
  columnsOf,
  type DescribedFile,
  type DescribedTable,
  type FieldPaths,
  type FileLayout,
  flatten,
  type SourceDescription,
} from "./description.ts";
export { type FileHead, type FileKind, howToConvert, isPattern, NOT_UTF8, readFileHead } from "./file-head.ts";
export { lockFile } from "./file-lock.ts";
export { checkFileNames, FILE_NAME, isFileName, NAME_IN_PATH } from "./file-users.ts";
export { type ColumnLook, type FirstLook, firstLook, type Guess } from "./guess-columns.ts";
export { guessTimeFormat, timeFormatAdvice } from "./guess-times.ts";
export { type JsonHead, readJsonHead } from "./json-head.ts";
export type { ColumnType } from "./look-column.ts";
export { nativeHash } from "./native-hash.ts";
export { readOccupancyFile } from "./occupancy-file.ts";
export { hangUp, POSTGRES_LOGIN_PARAMETERS, type PostgresLogin, postgresLogin } from "./postgres-login.ts";
export { reportingInterval } from "./reporting-interval.ts";
export { SAMPLE_ROWS, type Sample } from "./sample.ts";
export { noTemporaryFiles, removeLeftFolders, TemporaryFolder } from "./temporary-folder.ts";
export { keepNewFilesPrivate, modeByUsersMask } from "./umask.ts";
export { checkWhole } from "./whole-file.ts";
