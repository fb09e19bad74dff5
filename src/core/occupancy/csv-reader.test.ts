/** Checks that every spelling RFC 4180 allows, cut anywhere, reads as the plain triples, and that the rest is refused with its place. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VeilgridError } from "../errors/index.ts";
import { OccupancyBuilder } from "./builder.ts";
import { OccupancyCsvReader } from "./csv-reader.ts";
import { occupancyCsvChunks } from "./csv-writer.ts";

type Triple = [user: string, grid: string, count: number];

const id = fc.oneof(
  fc.constantFrom(
    "",
    "007",
    "null",
    "😀",
    "a/b%c",
    'say "hi"',
    '"',
    '""',
    "\n",
    '"\n',
    "a,b",
    "\r\n",
    "\r",
    " x ",
    "\ufeffa",
  ),
  fc.string({ unit: "binary", maxLength: 8 }).filter((text) => text.isWellFormed()),
  fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r", "a"), maxLength: 6 }),
);
const count = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 1_000_000_000 }));
const triples: fc.Arbitrary<Triple[]> = fc.array(fc.tuple(id, id, count), { minLength: 1, maxLength: 12 });

/** How to spell a file, apart from what it says. */
const spelling = fc.record({
  columns: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
  lineEnd: fc.constantFrom("\n", "\r\n"),
  hasByteOrderMark: fc.boolean(),
  hasFinalLineEnd: fc.boolean(),
  /** Consumed in turn: whether a field that needs no quotes gets them. */
  quotes: fc.array(fc.boolean(), { minLength: 1 }),
  /** Consumed in turn: blank lines before a record. */
  blankLines: fc.array(fc.constantFrom(0, 0, 0, 1, 2), { minLength: 1 }),
  countZeros: fc.constantFrom("", "", "0", "000"),
});
type Spelling = typeof spelling extends fc.Arbitrary<infer T> ? T : never;

const chunkSizes = fc.array(fc.oneof(fc.constant(1), fc.integer({ min: 0, max: 40 })), { minLength: 1, maxLength: 8 });

function spell(rows: readonly (readonly string[])[], how: Spelling): string {
  let fields = 0;
  const records = [["user", "grid", "count"], ...rows].map((row, index) => {
    const written = how.columns.map((column) => {
      const text = row[column]!;
      const mustQuote = /[",\r\n]/.test(text);
      return mustQuote || how.quotes[fields++ % how.quotes.length] ? `"${text.replaceAll('"', '""')}"` : text;
    });
    return how.lineEnd.repeat(how.blankLines[index % how.blankLines.length]!) + written.join(",");
  });
  return (how.hasByteOrderMark ? "\ufeff" : "") + records.join(how.lineEnd) + (how.hasFinalLineEnd ? how.lineEnd : "");
}

function read(bytes: Uint8Array, sizes: readonly number[] = [bytes.length]) {
  const reader = new OccupancyCsvReader("data.csv");
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    // A zero-byte chunk is a chunk, but not for ever.
    const size = Math.max(sizes[turn % sizes.length]!, turn > 1000 ? 1 : 0);
    // A copy of the caller's chunk, spoilt afterwards: the reader may not hold on to it.
    const chunk = bytes.slice(at, at + size);
    reader.push(chunk);
    chunk.fill(0x22);
    at += size;
  }
  return { ...reader.finish(), rows: reader.rows };
}

function canonical(input: readonly Triple[]): string {
  const builder = new OccupancyBuilder();
  for (const triple of input) builder.add(...triple);
  return Buffer.concat([...occupancyCsvChunks(builder.build().occupancy)]).toString();
}

function refusalOf(bytes: Uint8Array | string, sizes?: readonly number[]): VeilgridError {
  try {
    read(Buffer.from(bytes), sizes);
  } catch (error) {
    if (error instanceof VeilgridError) return error;
    throw error;
  }
  throw new Error("the file was accepted");
}

test("any spelling in any chunks is the array of the plain triples", () => {
  fc.assert(
    fc.property(triples, spelling, chunkSizes, (rows, how, sizes) => {
      fc.pre(rows.some(([, , count]) => count > 0));
      const text = spell(
        rows.map(([user, grid, count]) => [user, grid, how.countZeros + count]),
        how,
      );
      const { occupancy, notes, rows: readRows } = read(Buffer.from(text), sizes);
      expect(Buffer.concat([...occupancyCsvChunks(occupancy)]).toString()).toBe(canonical(rows));
      const pairs = new Set(rows.filter((row) => row[2] > 0).map(([user, grid]) => JSON.stringify([user, grid])));
      const zeroRows = rows.filter((row) => row[2] === 0).length;
      expect(notes).toEqual({ rows: rows.length, zeroRows, duplicateRows: rows.length - zeroRows - pairs.size });
      expect(readRows).toBe(rows.length);
    }),
    { numRuns: 1000 },
  );
});

test("the place of a bad row is its number among rows and the line where it begins, however the file is cut", () => {
  fc.assert(
    fc.property(triples, triples, spelling, chunkSizes, (before, after, how, sizes) => {
      const rows = [...before, ["bad", "row", -7] as Triple, ...after].map((row) => row.map(String));
      const text = spell(rows, { ...how, hasByteOrderMark: false });
      const whole = spell(rows.slice(0, before.length + 1), {
        ...how,
        hasByteOrderMark: false,
        hasFinalLineEnd: false,
      });
      const badRecord = whole.slice(whole.lastIndexOf("\n") + 1);
      const line = whole.slice(0, whole.length - badRecord.length).split("\n").length;
      const { code, message } = refusalOf(text, sizes);
      expect(code).toBe("INPUT_MALFORMED");
      expect(message).toBe(
        `data.csv: row ${before.length + 1} (line ${line}): count '-7' is negative; counts are whole numbers from 0`,
      );
    }),
    { numRuns: 500 },
  );
});

test("doubled marks before a line break inside a field do not shift later line numbers", () => {
  expect(refusalOf('user,grid,count\n"x""""\n",g,1\nu,g,x\n').message).toContain("row 2 (line 4)");
});

describe("malformed files", () => {
  const header = "user,grid,count\n";
  const cases: Array<[what: string, text: string, place: string, offending: string]> = [
    ["a negative count", `${header}u,g,1\nv,g,-1\n`, "row 2 (line 3)", "'-1' is negative"],
    ["a fractional count", `${header}u,g,1.5\n`, "row 1 (line 2)", "'1.5' is a fraction"],
    ["a count without digits", `${header}u,g,\n`, "row 1 (line 2)", "count ''"],
    ["a quoted empty count", `${header}u,g,""\n`, "row 1 (line 2)", "count ''"],
    ["a word for a count", `${header}u,g,abc\n`, "row 1 (line 2)", "'abc' is not a number"],
    ["a range", `${header}u,g,1-2\n`, "row 1 (line 2)", "'1-2' is not a number"],
    ["a fraction without a whole", `${header}u,g,.25\n`, "row 1 (line 2)", "'.25' is a fraction"],
    ["a fraction after a letter", `${header}u,g,x1.5\n`, "row 1 (line 2)", "'x1.5' is not a number"],
    ["a fraction before a letter", `${header}u,g,1.5x\n`, "row 1 (line 2)", "'1.5x' is not a number"],
    ["an exponent", `${header}u,g,1e3\n`, "row 1 (line 2)", "'1e3'"],
    ["a hexadecimal count", `${header}u,g,0x1\n`, "row 1 (line 2)", "'0x1'"],
    ["a count with a space", `${header}u,g, 1\n`, "row 1 (line 2)", "' 1'"],
    ["a signed count", `${header}u,g,+1\n`, "row 1 (line 2)", "'+1'"],
    ["a count in other digits", `${header}u,g,\u0663\n`, "row 1 (line 2)", "'\u0663'"],
    ["a count of 2^32", `${header}u,g,4294967296\n`, "row 1 (line 2)", "'4294967296' is above 4294967295"],
    [
      "a count of 400 digits",
      `${header}u,g,${"9".repeat(400)}\n`,
      "row 1 (line 2)",
      `'${"9".repeat(27)}...${"9".repeat(30)}' is above`,
    ],
    ["too many fields", `${header}\n\nu,g,1,2\n`, "row 1 (line 4)", "4 fields in 'u,g,1,2'"],
    ["too few fields", `${header}u,g\n`, "row 1 (line 2)", "2 fields in 'u,g'"],
    ["one field", `${header}"u""v"\r\n`, "row 1 (line 2)", '1 field in \'"u""v"\' where'],
    ["an empty field in marks", `${header}""\n`, "row 1 (line 2)", "1 field in '\"\"' where"],
    ["a trailing comma", `${header}u,g,1,\n`, "row 1 (line 2)", "4 fields in 'u,g,1,'"],
    ["a line of spaces", `${header}   \n`, "row 1 (line 2)", "1 field in '   '"],
    [
      "an unclosed mark",
      `${header}u,g,1\n"v,g,1\nw,g,1\n`,
      "row 2 (line 3)",
      "'\"v,g,1\\u000aw,g,1\\u000a' is never closed",
    ],
    ["text after a closing mark", `${header}"u"x,g,1\n`, "row 1 (line 2)", "closing quotation mark of '\"u\"'"],
    ["a space after a closing mark", `${header}u,"g" ,1\n`, "row 1 (line 2)", "closing quotation mark of '\"g\"'"],
    ["a lone return after a mark", `${header}"u"\r,g,1\n`, "row 1 (line 2)", "closing quotation mark of '\"u\"'"],
    ["a mark in an unquoted field", `${header}5" gun,g,1\n`, "row 1 (line 2)", "unquoted field '5\"'"],
    ["a terminal escape", `${header}u,g,\u001b[2J\n`, "row 1 (line 2)", "'\\u001b[2J'"],
  ];

  test.each(cases)("%s", (_, text, place, offending) => {
    for (const sizes of [[text.length * 2], [1], [7]]) {
      const { code, exitStatus, message } = refusalOf(text, sizes);
      expect(code).toBe("INPUT_MALFORMED");
      expect(exitStatus).toBe(1);
      expect(message.startsWith(`data.csv: ${place}: `)).toBe(true);
      expect(message).toContain(offending);
      expect(message).not.toMatch(/\p{Cc}/u);
    }
  });

  const calledNone = "no column is called user or grid or count";
  test.each([
    ["other names", "id,cell,n\nu,g,1\n", calledNone],
    ["none, but a row", "u,g,1\nv,g,1\n", calledNone],
    ["a sentence", "Jane Doe, born 1970, owes 4,000\n", calledNone],
    ["one line", "Jane Doe owes 4000\n", calledNone],
    ["capitals", "User,Grid,Count\nu,g,1\n", calledNone],
    ["spaces", "user, grid, count\nu,g,1\n", "no column is called grid or count"],
    ["one column missing", "user,grid\nu,g\n", "no column is called count"],
    ["one column too many", "user,grid,count,speed\nu,g,1,2\n", "it has 4 columns"],
    ["two columns too many", "4711,user,grid,count,speed\nu,g,1,2,3\n", "it has 5 columns"],
    ["one column twice", "user,user,count\nu,g,1\n", "no column is called grid"],
    ["another user", "x,grid,count\nu,g,1\n", "no column is called user"],
    ["another grid", "user,x,count\nu,g,1\n", "no column is called grid"],
    ["another count", "user,grid,x\nu,g,1\n", "no column is called count"],
    ["semicolons", "user;grid;count\nu;g;1\n", calledNone],
    ["other line ends", "user,grid,count\ru,g,1\r", "no column is called count"],
    ["UTF-16", "u\u0000s\u0000e\u0000r\u0000\n", calledNone],
    ["a stray mark", 'us"er,grid,count\n', "it cannot be read as CSV"],
    ["JSON", '{"user":"jane","salary":4711}\n', "it cannot be read as CSV"],
    ["an open mark", '"Jane Doe\nowes 4000\n', "it cannot be read as CSV"],
    ["text after a closing mark", '"Jane" Doe,grid,count\n', "it cannot be read as CSV"],
    ["more than 1 MiB", "4711".repeat(1 << 19), "it cannot be read as CSV"],
  ])("a header with %s is refused and nothing of it quoted", (_, text, why) => {
    for (const sizes of [[text.length], [7, 1 << 20]]) {
      const { code, message } = refusalOf(text, sizes);
      expect(code).toBe("INPUT_MALFORMED");
      expect(message).toBe(
        `data.csv: the first row is not the header user,grid,count: ${why}; if these are records, 'veilgrid survey FILE' lists the columns and prints a command to start from`,
      );
    }
  });

  test("ids that are not UTF-8, with what can be shown of them", () => {
    for (const bad of [[0xff], [0xe9], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98]]) {
      for (const [before, after] of [
        ["caf", ",g,1\n"],
        ["u,caf", ",1\n"],
      ]) {
        const bytes = Buffer.concat([Buffer.from(`${header}ok,g,1\n${before}`), Buffer.from(bad), Buffer.from(after!)]);
        const { code, message } = refusalOf(bytes);
        expect(code).toBe("INPUT_MALFORMED");
        expect(message).toMatch(/^data\.csv: row 2 \(line 3\): [^\n]*'caf\ufffd+'[^\n]* not valid UTF-8 /);
      }
    }
  });

  test("a record of more than 1 MiB behind an open mark is not read on for ever", () => {
    const text = `${header}u,g,1\n"v,g,1\n${"w,g,1\n".repeat(200_000)}`;
    for (const size of [text.length, 1 << 18]) {
      const { code, message } = refusalOf(text, [size]);
      expect(code).toBe("INPUT_MALFORMED");
      expect(message).toMatch(
        /^data\.csv: row 2 \(line 3\): a record of more than 1 MiB, beginning '"v,g,1\\u000a.*'; /,
      );
      expect(message.length).toBeLessThan(600);
    }
  });

  test("a closed record of more than 1 MiB and an id of more than 65,536 bytes are refused however the file is cut, shorter ones are not", () => {
    const recordOf = (bytes: number): string => `${header}${"x".repeat(bytes - ",g,1".length)},g,1\n`;
    for (const sizes of [[4 << 20], [header.length + (1 << 20), 1]]) {
      expect(refusalOf(recordOf(1 << 20), sizes).message).toContain("row 1 (line 2): an id of 1048572 bytes");
    }
    for (const size of [4 << 20, 1 << 18]) {
      expect(refusalOf(recordOf((1 << 20) + 1), [size]).message).toContain("row 1 (line 2): a record of more");
      expect(refusalOf(`${header}${"x".repeat(65_537)},g,1\n`, [size]).message).toContain(
        "row 1 (line 2): an id of 65537 bytes",
      );
      const { occupancy } = read(Buffer.from(`${header}${"x".repeat(65_536)},g,1\n`), [size]);
      expect(occupancy.users.get(0)).toHaveLength(65_536);
    }
  });

  test("counts of one pair that add up beyond 32 bits, naming file and pair", () => {
    const { code, message } = refusalOf(`${header}u,g,4294967295\nu,g,1\n`);
    expect(code).toBe("INPUT_TOO_LARGE");
    expect(message).toBe("data.csv: the counts of user 'u' in grid 'g' add up to more than 4294967295");
  });
});

test.each([
  ["nothing", ""],
  ["a byte order mark", "\ufeff"],
  ["a line end", "\n"],
  ["blank lines", "\n\r\n\n"],
  ["a header without a line end", "user,grid,count"],
  ["a header", "user,grid,count\n"],
  ["rows of zero", "user,grid,count\nu,g,0\n"],
])("a file with only %s is empty", (_, text) => {
  for (const sizes of [[64], [1]]) {
    const { code, message } = refusalOf(text, sizes);
    expect(code).toBe("INPUT_EMPTY");
    expect(message).toMatch(/^data\.csv: [^\n]+$/);
  }
});

test.each([0, 1, 2])("what is a byte order mark but for byte %d is a part of the header", (at) => {
  const bytes = new TextEncoder().encode("\ufeffuser,grid,count\nu,g,1\n");
  bytes[at]! -= 1;
  expect(refusalOf(bytes).message).toContain("no column is called user;");
});

test("a file of nothing is called empty, one without a count above 0 is told of that", () => {
  expect(refusalOf("").message).toBe("data.csv: the file is empty; expected the header user,grid,count and rows");
  expect(refusalOf("user,grid,count\nu,g,0\n").message).toContain("no row has a count above 0");
});

test("a return that no line end follows is a part of an id, wherever the file is cut, and at the very end it ends the last row", () => {
  const bytes = new TextEncoder().encode("user,grid,count\r\na\rb,\rg,1\r\nu,g\r,2\r");
  for (let cut = 0; cut <= bytes.length; cut++) {
    const { occupancy } = read(bytes, [cut, bytes.length - cut]);
    expect(Buffer.concat([...occupancyCsvChunks(occupancy)]).toString()).toBe(
      canonical([
        ["a\rb", "\rg", 1],
        ["u", "g\r", 2],
      ]),
    );
  }
});

test.each(["\n", "\r\n"])("a row is read as soon as its line end %j is there", (lineEnd) => {
  const reader = new OccupancyCsvReader("data.csv");
  const rowsAfter = (text: string): number => {
    reader.push(Buffer.from(text));
    return reader.rows;
  };
  expect(rowsAfter(`user,grid,count${lineEnd}u,g,1${lineEnd}`)).toBe(1);
  expect(rowsAfter(`v,g,1${lineEnd}"w",g,1`)).toBe(2);
  expect(rowsAfter(`0${lineEnd}`)).toBe(3);
  expect(reader.finish().notes.rows).toBe(3);
});

test("a file of more than 1 MiB is read where no record is, given at once or in pieces", () => {
  const rows = Array.from({ length: 40 }, (_, row): Triple => [`${row}`.padEnd(50_000, "x"), "g", 1 + row]);
  const lines = ["user,grid,count", ...rows.map((row) => row.join(","))];
  const bytes = new TextEncoder().encode(lines.map((line) => `${line}\r\n`).join(""));
  for (const size of [bytes.length, 70_001]) {
    const { occupancy } = read(bytes, [size]);
    expect(Buffer.concat([...occupancyCsvChunks(occupancy)]).toString()).toBe(canonical(rows));
  }
});
