/** An attacker for the audit: worst neighbouring datasets, the real noise path and ledger, and the ε that attacks demonstrate. */
export {
  type AdaptiveReport,
  type AnalystSession,
  type AskedGrid,
  attackAdaptively,
  type GridAnswer,
  questionsOf,
} from "./adaptive-attack.ts";
export {
  type AttackReport,
  attackBy,
  attackMechanism,
  type Mechanism,
  plantedMistakes,
  releaseMechanism,
} from "./attack.ts";
export { balancedScenario, drawRelease, looksAt, wholeBalanced } from "./balanced-attack.ts";
export { balancedMistakes } from "./balanced-mistakes.ts";
export {
  AUDITED_STATISTICS,
  type AuditCase,
  auditCases,
  balancedCase,
  balancedCases,
  FEW_USERS,
  MANY_USERS,
  overlappingCases,
  ownerCases,
} from "./cases.ts";
export { demonstrate } from "./demonstrate.ts";
export { type FullAudit, fullAudit, plantedAudit } from "./full-audit.ts";
export { attackLedger, chargedBy } from "./ledger-attack.ts";
export { type AttackedEngine, planThrough, readWorstTotals } from "./recorded-attack.ts";
export {
  type Attack,
  attackOf,
  type BySide,
  type Counts,
  makeScenario,
  OWNED_GRID,
  type PlannedArray,
  SHARED_GRIDS,
  type Side,
  scenarioOf,
  singleNumbers,
  type Target,
  type Victim,
  type WorstRecord,
  wholeRelease,
  worstRecordsCsv,
} from "./scenario.ts";
