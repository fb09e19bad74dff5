/** The paper's experiments, their figures, and findings beyond the paper. */
export { beyondFigures } from "./beyond-figures.ts";
export { findingsOf } from "./findings.ts";
export type { ClippedPoint, FrontierPoint } from "./measure.ts";
export { paperFigures } from "./paper-figures.ts";
export type { Study } from "./study.ts";
export {
  beyondTasks,
  GAMMAS,
  paperTasks,
  pointsOf,
  runTask,
  type StudyOutline,
  studyOf,
  syntheticOutlines,
  type Task,
  type TaskResult,
} from "./tasks.ts";
