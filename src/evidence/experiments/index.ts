/** The paper's experiments, figure by figure, and what we found beside them. */
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
