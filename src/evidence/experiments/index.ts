/** The paper's experiments, figure by figure, and what we found beside them. */
export { beyondFigures } from "./beyond-figures.ts";
export { findingsOf } from "./findings.ts";
export type { ClippedPoint, FrontierPoint } from "./measure.ts";
export { paperFigures } from "./paper-figures.ts";
export { beyondTasks, GAMMAS, paperTasks, type StudyOutline, studyOf, syntheticOutlines } from "./plan-tasks.ts";
export type { Study } from "./study.ts";
export { pointsOf, runTask, type Task, type TaskResult } from "./task.ts";
