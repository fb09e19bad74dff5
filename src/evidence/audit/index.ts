/** The attacker in the box: worst neighbouring datasets, the real noise path and ledger, and what they give away. */
export {
  type AdaptiveOptions,
  type AdaptiveReport,
  type AnalystSession,
  type AskedGrid,
  attackAdaptively,
  type GridAnswer,
  type Question,
  questionsOf,
} from "./adaptive-attack.ts";
export { type AttackOptions, type AttackReport, attackMechanism } from "./attack.ts";
export {
  AUDITED_STATISTICS,
  type AuditCase,
  auditCases,
  FEW_USERS,
  MANY_USERS,
  overlappingCases,
  ownerCases,
} from "./cases.ts";
export { type Demonstration, demonstrate, type Evidence } from "./demonstrate.ts";
export { attackLedger, type LedgerAttackOptions, type LedgerReport } from "./ledger-attack.ts";
export { type Mechanism, releaseMechanism } from "./mechanism.ts";
export {
  type BySide,
  type PlannedArray,
  type Side,
  singleNumbers,
  type Victim,
  wholeRelease,
} from "./planned-array.ts";
export { type PlantedMistake, plantedMistakes } from "./planted.ts";
export { type AttackedEngine, planThrough, type ReadTotals, readWorstTotals } from "./recorded-attack.ts";
export { chargedBy, releaseSession, type SessionsOf } from "./release-session.ts";
export {
  type Attack,
  attackOf,
  type Counts,
  makeScenario,
  OWNED_GRID,
  type Scenario,
  SHARED_GRIDS,
  scenarioOf,
  type Target,
} from "./scenario.ts";
export { type WorstRecord, worstRecordsCsv } from "./worst-records.ts";
