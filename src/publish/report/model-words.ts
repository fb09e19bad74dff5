/** Names the public model of balanced plans in sentences that a curator understands. */
/** What values are measured in and which column names the users, where that is known. */
export interface Named {
  readonly unit?: string | undefined;
  readonly user?: string | undefined;
}

/** Standard deviations in the value's unit. */
export interface SpreadNumbers {
  readonly users: number;
  readonly records: number;
  readonly trend: number;
}

/** What typical errors, intervals under the model and the weights of users rest on. */
export function modelWords({ users, records, trend }: SpreadNumbers, { unit, user }: Named): string {
  const about = (value: number): string =>
    `about ${Number(value.toPrecision(2))}${unit === undefined ? "" : ` ${unit}`}`;
  const whose = user === undefined ? "users' averages" : `averages of users (${user})`;
  return `${whose} in a grid differ by ${about(users)}, single records of one user by ${about(records)}, and heavy and light users by ${about(trend)}`;
}
