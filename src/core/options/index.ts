/** Every option of a survey, a plan, a comparison and a release, declared once: commands, config files, requests, programs and forms follow from it. */
export {
  checkedTexts,
  chosen,
  DECIMAL,
  type Decimal,
  exactDecimal,
  flagOf,
  MOST_CHARACTERS,
  type Option,
  type OptionTable,
  type OptionTexts,
  type OptionValues,
  optionName,
  optionProblems,
  optionTexts,
  wholeNumber,
} from "./option.ts";
export {
  ABOUT_OPTIONS,
  type About,
  COMPARE_OPTIONS,
  COMPARED_RECORDS_OPTIONS,
  PLAN_OPTIONS,
  RELEASE_OPTIONS,
} from "./plan-options.ts";
export {
  READING_OPTIONS,
  RECIPE_OPTIONS,
  RECORDS_OPTIONS,
  type RecordsOptions,
  type RecordsTexts,
} from "./records-options.ts";
