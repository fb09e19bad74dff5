/** The rows of an occupancy CSV, read without the tool's own reader. */

export interface OccupancyRow {
  readonly user: string;
  readonly grid: string;
  readonly count: number;
}

/** Of `user,grid,count` text; ids may be quoted. Rows of the same pair are added up. */
export function occupancyRows(csv: string): OccupancyRow[] {
  const [header, ...records] = csvRecords(csv);
  if (header?.join() !== "user,grid,count") throw new SyntaxError("an occupancy file starts with user,grid,count");
  const rows = new Map<string, { user: string; grid: string; count: number }>();
  for (const record of records) {
    const [user, grid, text] = record;
    const count = Number(text);
    if (record.length !== 3 || !/^\d+$/.test(text!) || !Number.isSafeInteger(count))
      throw new SyntaxError(`not an occupancy row: ${record.join()}`);
    if (count === 0) continue;
    const key = JSON.stringify([user, grid]);
    const row = rows.get(key);
    if (row === undefined) rows.set(key, { user: user!, grid: grid!, count });
    else row.count += count;
  }
  return [...rows.values()];
}

function csvRecords(csv: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  // A field, quoted or not, and what ends it.
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  while (pattern.lastIndex < csv.length || record.length > 0) {
    const at = pattern.lastIndex;
    const field = pattern.exec(csv);
    if (field === null) throw new SyntaxError(`not CSV from character ${at} on`);
    record.push(field[1]?.replaceAll('""', '"') ?? field[2]!);
    if (field[3] === ",") continue;
    records.push(record);
    record = [];
  }
  return records;
}
