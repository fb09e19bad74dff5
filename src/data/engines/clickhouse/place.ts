/** A record's hexagon as a ClickHouse expression: stored, by the server's own function, or from a table of points mapped in this process. */
import { type Place, STORED_CELL, storedCellExpression, storedCellIsSound } from "../../partition/index.ts";
import type { Capabilities } from "./capabilities.ts";
import { allOf, anyOf, argument, bound, double, identifier, not, printerWith, unsigned } from "./dialect.ts";
import type { NumberField, RecordsQuery, RecordsTable, TableFields } from "./fields.ts";

/** Where no place is. */
export const NOWHERE = 1000;

export interface PlaceSql {
  /** Empty where cells are stored. */
  readonly latitude: string;
  readonly longitude: string;
  readonly cell: string | undefined;
  readonly wrong: string;
  readonly unread: string;
}

export function placeSql(query: RecordsQuery, fields: TableFields): PlaceSql {
  const { recipe, table } = query;
  const { place } = recipe;
  if (place === null) return { latitude: "", longitude: "", cell: undefined, wrong: "0", unread: "0" };
  if (place.kind === "cell") return storedCellSql(place, table, fields);
  const { latitude, longitude, isNoPair } = pairOf(place, fields);
  const isAbsent = allOf([latitude.absent, longitude.absent]);
  const onEarth = fields.define(
    "on_earth",
    `(${latitude.value} >= -90 AND ${latitude.value} <= 90 AND ${longitude.value} >= -180 AND ${longitude.value} <= 180)`,
  );
  // Zeros lose their sign; what is no place is none, whatever stands there.
  const at = (field: NumberField): string => `if(${onEarth}, ${field.value} + ${double(0)}, ${double(NOWHERE)})`;
  const lat = fields.define("lat", at(latitude));
  const lon = fields.define("lon", at(longitude));
  return {
    latitude: lat,
    longitude: lon,
    cell: cellSql({ latitude: lat, longitude: lon, resolution: place.resolution }, query),
    wrong: allOf([not(isAbsent), anyOf([not(onEarth), isNoPair])]),
    unread: anyOf([latitude.unread, longitude.unread]),
  };
}

function storedCellSql(
  { column, resolution }: Extract<Place, { kind: "cell" }>,
  { names }: RecordsTable,
  fields: TableFields,
): PlaceSql {
  const { value, absent } = fields.cell(column);
  const stored = fields.define("stored", value);
  const printer = printerWith(names);
  const ofStored = (body: string): string => bound([[argument(names, STORED_CELL), stored]], body);
  const isSound = fields.define("cell_is_sound", ofStored(printer.condition(storedCellIsSound(resolution))));
  const cell = resolution === null ? stored : ofStored(printer.expression(storedCellExpression(resolution)));
  return {
    latitude: "",
    longitude: "",
    cell: `if(${isSound}, toUInt64(${cell}), ${unsigned(0n)})`,
    wrong: allOf([not(absent), not(isSound)]),
    unread: "0",
  };
}

function pairOf(place: Exclude<Place, { kind: "cell" }>, fields: TableFields): ReturnType<TableFields["point"]> {
  if (place.kind === "point") return fields.point(place.column);
  return {
    latitude: fields.number(place.latitude, "--lat", "latitude"),
    longitude: fields.number(place.longitude, "--lon", "longitude"),
    isNoPair: "0",
  };
}

/** The hexagon's number, 0 where there is none. */
function cellSql(place: Parameters<typeof ownCellSql>[0], { table, geoToH3, points }: RecordsQuery): string {
  const mapped = table.names("point_cell");
  if (points?.holds === "every point") return mapped;
  const own = ownCellSql(place, geoToH3);
  return points === undefined ? own : `if(${mapped} != 0, ${mapped}, ${own})`;
}

export function ownCellSql(
  { latitude, longitude, resolution }: { latitude: string; longitude: string; resolution: number },
  order: Capabilities["geoToH3"],
): string {
  const somewhere = (coordinate: string): string => `if(${latitude} = ${NOWHERE}, ${double(0)}, ${coordinate})`;
  const pair = [somewhere(latitude), somewhere(longitude)];
  const [first, second] = order === "longitude first" ? pair.reverse() : pair;
  return `if(${latitude} = ${NOWHERE}, ${unsigned(0n)}, geoToH3(${first}, ${second}, toUInt8(${resolution})))`;
}

/** The table, with points joined where they are needed. Servers before 2019 take one join, and no names for what is joined. */
export function placedTable({ table, points }: RecordsQuery, { latitude, longitude }: PlaceSql): string {
  if (points === undefined) return table.sql;
  const kind = points.holds === "every point" ? "ALL INNER" : "ANY LEFT";
  const on = `${latitude} = ${table.names("point_lat")} AND ${longitude} = ${table.names("point_lon")}`;
  return `${table.sql} GLOBAL ${kind} JOIN ${identifier(points.table)} ON ${on}`;
}
