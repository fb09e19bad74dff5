/** Checks the sniffing of delimited files on files as people write them, and the parser by writing random tables and reading them again. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VeilgridError } from "../../core/errors/index.ts";
import { type DialectOptions, parseDelimited, parseDelimiter, sniffCsv } from "./csv-dialect.ts";

const DELIMITERS = [",", ";", "|", "\t"];
const sniff = (text: string, stated?: DialectOptions) => sniffCsv(text, true, stated);

describe("sniffCsv finds", () => {
  test.each(DELIMITERS)("the delimiter %j", (delimiter) => {
    const text = [
      ["user", "shop", "amount"],
      ["ann", "north", "3.50"],
      ["bob", "south", "4"],
    ]
      .map((row) => row.join(delimiter))
      .join("\n");
    const { dialect, rows } = sniff(`${text}\n`);
    expect(dialect).toEqual({ delimiter, header: true, columns: ["user", "shop", "amount"], decimalComma: false });
    expect(rows).toEqual([
      ["ann", "north", "3.50"],
      ["bob", "south", "4"],
    ]);
  });

  test.each(DELIMITERS)("the delimiter %j among quoted cells that hold all the others", (delimiter) => {
    const cell = '"a;b,c|d\te""f\ng"';
    const text = [
      ["x", "y"],
      [cell, "1"],
      ["2", cell],
      [cell, cell],
    ]
      .map((row) => row.join(delimiter))
      .join("\r\n");
    const { dialect, rows } = sniff(text);
    expect(dialect.delimiter).toBe(delimiter);
    const read = 'a;b,c|d\te"f\ng';
    expect(rows).toEqual([
      [read, "1"],
      ["2", read],
      [read, read],
    ]);
  });

  test("the delimiter that fits every row before one that fits some", () => {
    expect(sniff("name,note\nann,a;b\nbob,c\ncid,d;e;f\n").dialect.delimiter).toBe(",");
    expect(sniff("name;note\nann;a,b\nbob;c\ncid;d,e,f\n").dialect.delimiter).toBe(";");
    expect(sniff("a,b;c\n1,2;3\n").dialect.delimiter).toBe(";");
  });

  test("the delimiter of most rows, if none fits all", () => {
    expect(sniff("a,b,c\n1,2,3\n1,2\n1,2,3\n").dialect.delimiter).toBe(",");
  });

  test("spaces, if nothing else fits and every row has as many fields", () => {
    const { dialect, rows } = sniff("37.75134 -122.39488 0 1213084687\n37.75136 -122.39527 0 1213084659\n");
    expect([dialect.delimiter, dialect.header]).toEqual([" ", false]);
    expect(rows[1]).toEqual(["37.75136", "-122.39527", "0", "1213084659"]);
    expect(sniff("a b c,d\n1 2 3,4\n").dialect.delimiter).toBe(",");
    expect(sniff("note\nspeed of a bus\nspeed of a car\n").dialect.delimiter).toBe(",");
    expect(sniff("first name\nann lee\n").dialect.delimiter).toBe(",");
  });

  test("two colons, which are refused with what to do", () => {
    const text = "1::1193::5::978300760\n1::661::3::978302109\n";
    expect(() => sniff(text)).toThrow(/between two colons.*sed 's\/::\/\\t\/g'/);
    expect(() => sniffCsv(text, false)).toThrow(/two colons/);
    expect(() => sniff("1::Toy Story (1995)::Animation|Comedy\n2::Jumanji (1995)::Fantasy\n")).toThrow(/two colons/);
    expect(sniff("a::b::c,d\n1::2::3,4\n").dialect.delimiter).toBe(",");
  });

  test.each(["sep=;\n", "\uFEFFsep=;\r\n", '"sep=;"\r', "SEP=;\n"])("the delimiter that the line %j says", (line) => {
    const { dialect, rows } = sniff(`${line}a,b;c\n1,2;3\n1;2\n`);
    expect(dialect).toMatchObject({ delimiter: ";", skip: 1, columns: ["a,b", "c"] });
    expect(rows).toHaveLength(2);
    expect(sniff(`${line}a|b\n1|2\n`, { delimiter: "|" }).dialect).toMatchObject({ delimiter: "|", skip: 1 });
    expect(sniff("sep=x\na;b\n").dialect.skip).toBeUndefined();
  });

  test("a single column, with a comma for want of anything better", () => {
    const { dialect, rows } = sniff("speed\n10\n20\n");
    expect(dialect).toEqual({ delimiter: ",", header: true, columns: ["speed"], decimalComma: false });
    expect(rows).toEqual([["10"], ["20"]]);
  });

  test.each([
    ["a number", "ann,12\nbob,13\n"],
    ["a negative number", "ann,-0.5\nbob,13\n"],
    ["a time", "ann,2016-12-16T09:00\nbob,2016-12-16T10:00\n"],
    ["a date", "ann,16/12/2016\nbob,17/12/2016\n"],
    ["a point", 'ann,"[77.1, 12.9]"\nbob,"[77.2, 12.9]"\n'],
  ])("that there is no header where the first row holds %s", (_, text) => {
    const { dialect, rows } = sniff(text);
    expect(dialect.header).toBe(false);
    expect(dialect.columns).toEqual(["column1", "column2"]);
    expect(rows).toHaveLength(2);
  });

  test("that there is no header where the first row holds a decimal comma", () => {
    const { dialect } = sniff("ann;3,5\nbob;4,5\n");
    expect(dialect).toEqual({ delimiter: ";", header: false, columns: ["column1", "column2"], decimalComma: true });
  });

  test("a header that speaks of numbers and times without being any", () => {
    expect(sniff("pm2.5,no2,time 24h,1st\n1,2,3,4\n").dialect.header).toBe(true);
  });

  test("the byte order mark, and takes it for nothing", () => {
    const { dialect, rows } = sniff('\uFEFF"user",speed\r\nann,1\r\n');
    expect(dialect.columns).toEqual(["user", "speed"]);
    expect(rows).toEqual([["ann", "1"]]);
  });

  test.each(["\n", "\r\n", "\r"])("rows that end in %j, the last with or without, blank lines between", (end) => {
    for (const last of ["", end, end + end]) {
      const { dialect, rows } = sniff(`a,b${end}${end}1,2${end}3,4${last}`);
      expect(dialect.columns).toEqual(["a", "b"]);
      expect(rows).toEqual([
        ["1", "2"],
        ["3", "4"],
      ]);
    }
  });

  test("names that are blank, stand twice or have spaces around them", () => {
    expect(sniff("a, b ,a,,a,,a_2\nx,x,x,x,x,x,x\n").dialect.columns).toEqual([
      "a",
      "b",
      "a_2",
      "column4",
      "a_3",
      "column6",
      "a_2_2",
    ]);
    expect(sniff("column2,,x\nx,x,x\n").dialect.columns).toEqual(["column2", "column2_2", "x"]);
  });

  test("a header alone, and a single row", () => {
    expect(sniff("user,speed")).toEqual({
      dialect: { delimiter: ",", header: true, columns: ["user", "speed"], decimalComma: false },
      rows: [],
    });
    expect(sniff("ann,12")).toEqual({
      dialect: { delimiter: ",", header: false, columns: ["column1", "column2"], decimalComma: false },
      rows: [["ann", "12"]],
    });
  });
});

describe("decimal commas", () => {
  test.each([
    ["with semicolons", "u;v\na;3,5\nb;4\n", true],
    ["with tabs", "u\tv\na\t-3,5\nb\t4,25\n", true],
    ["quoted among commas", 'u,v\na,"3,5"\nb,"4"\n', true],
    ["beside blanks", "u;v\na;3,5\nb;\n", true],
    ["not where there are points", "u;v\na;3.5\nb;4.5\n", false],
    ["not where there are both in one column", "u;v\na;3,5\nb;4.5\n", false],
    ["not in text", "u;v\na;x 3,5\nb;y\n", false],
    ["not where nothing is", "u;v\n", false],
  ])("%s", (_, text, expected) => expect(sniff(text).dialect.decimalComma).toBe(expected));

  test("commas that group thousands are none where another column has points", () => {
    expect(sniff('user,amount,share\na,"12,500",3.5\nb,"1,250",4.5\n').dialect.decimalComma).toBe(false);
  });
});

describe("what is told is not sniffed", () => {
  test("delimiter, header, decimal comma", () => {
    const stated = { delimiter: ";", header: false, decimalComma: true };
    expect(sniff("a,b\nc,d\n", stated).dialect).toEqual({ ...stated, columns: ["column1"] });
    expect(sniff("1,2\n3,4\n", { header: true }).dialect.columns).toEqual(["1", "2"]);
    expect(sniff("u;v\na;3,5\n", { decimalComma: false }).dialect.decimalComma).toBe(false);
  });
});

describe("a sample that is cut", () => {
  test("its last row is not looked at, unless it ended", () => {
    expect(sniffCsv("a,b\n1,2\n3,4", false).rows).toEqual([["1", "2"]]);
    expect(sniffCsv("a,b\n1,2\n3,", false).rows).toEqual([["1", "2"]]);
    expect(sniffCsv("a,b\n1,2\n3", false).rows).toEqual([["1", "2"]]);
    expect(sniffCsv('a,b\n1,2\n3,"x\ny', false).rows).toEqual([["1", "2"]]);
    expect(sniffCsv("a,b\n1,2\n3,4\n", false).rows).toHaveLength(2);
    expect(sniffCsv("a,b\r\n1,2\r\n3,4\r", false).rows).toHaveLength(2);
  });

  test("wherever it is cut, its rows are the first of all rows", () => {
    const text = 'a;b\r\n"x;""1""";2\r\n;\r\n"y\r\nz";3\r\n4;""\r\n';
    const all = parseDelimited(text, ";", true);
    expect(all).toHaveLength(5);
    for (let length = 0; length <= text.length; length++) {
      const rows = parseDelimited(text.slice(0, length), ";", false);
      expect(rows).toEqual(all.slice(0, rows.length));
    }
  });
});

test.each(["", "\n\n", "\uFEFF", "\r\n"])("nothing in %j", (text) => {
  expect(() => sniff(text)).toThrow(expect.objectContaining({ code: "INPUT_EMPTY" }));
});

describe("parseDelimited", () => {
  const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

  test("a table that was written is read again, quoted where it must be or everywhere", () => {
    const cell = fc.oneof(
      fc.string({ unit: "binary", maxLength: 6 }),
      fc.string({ unit: fc.constantFrom('"', ",", ";", "\n", "\r", "a", " "), maxLength: 6 }),
    );
    const table = fc
      .integer({ min: 2, max: 5 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
      );
    const style = fc.record({
      delimiter: fc.constantFrom(...DELIMITERS),
      end: fc.constantFrom("\n", "\r\n"),
      everywhere: fc.boolean(),
      last: fc.boolean(),
      mark: fc.boolean(),
    });
    fc.assert(
      fc.property(table, style, (rows, { delimiter, end, everywhere, last, mark }) => {
        const must = (cell: string): boolean => everywhere || /["\n\r\uFEFF]/.test(cell) || cell.includes(delimiter);
        const lines = rows.map((row) => row.map((cell) => (must(cell) ? quoted(cell) : cell)).join(delimiter));
        const text = (mark ? "\uFEFF" : "") + lines.join(end) + (last ? end : "");
        expect(parseDelimited(text, delimiter, true)).toEqual(rows);
      }),
      { numRuns: 400 },
    );
  });

  test("no more rows than are wanted", () => {
    expect(parseDelimited("1,2\n".repeat(100), ",", true, 7)).toHaveLength(7);
    expect(parseDelimited("1,2\n".repeat(6000), ",", true)).toHaveLength(5000);
  });
});

describe("parseDelimiter", () => {
  test.each([
    ["tab", "\t"],
    ["\\t", "\t"],
    ["\t", "\t"],
    ["comma", ","],
    ["semicolon", ";"],
    ["pipe", "|"],
    ["space", " "],
    [";", ";"],
    ["§", "§"],
  ])("%j is %j", (text, delimiter) => expect(parseDelimiter(text)).toBe(delimiter));

  test.each(["", ";;", "a", "7", '"', "\n", "\r", "tabs"])("%j is refused in one line", (text) => {
    let error: unknown;
    try {
      parseDelimiter(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(VeilgridError);
    const { code, message } = error as VeilgridError;
    expect(code).toBe("PARAMETER_INVALID");
    expect(message).toMatch(/^--delimiter '.*' must be one character such as ; or \|, or the word tab$/);
  });

  test("a word that every object knows is refused like any other", () => {
    expect(() => parseDelimiter("constructor")).toThrow(expect.objectContaining({ code: "PARAMETER_INVALID" }));
  });
});

describe("a first row of records", () => {
  const rest = ["120\u20ac", "80\u20ac", "9\u20ac"];
  test.each(["7013\u20ac", "7 013\u20ac", "7\u2019013.50\u20ac"])("%s above others like it", (first) => {
    const text = [first, ...rest].map((cell) => `ann;north;${cell}\n`).join("");
    expect(sniffCsv(text, true).dialect.header).toBe(false);
  });

  test.each(["7013%", "(7013)", "116:53", "7013k", "<7013", "kr 7013", "A7013"])("%s above its like", (first) => {
    const text = [first, first.replace("7013", "9"), first.replace("7013", "12")]
      .map((cell) => `ann;${cell}\n`)
      .join("");
    expect(sniffCsv(text, true).dialect.header).toBe(false);
  });

  test("NA is no name", () => expect(sniffCsv("ann;NA\nben;3.5\n", true).dialect.header).toBe(false));

  test.each(["PM2.5", "P1", "price 2016", "km/h"])("%s is a name", (name) => {
    expect(sniffCsv(`who;${name}\nann;3.5\nben;4.5\n`, true).dialect.header).toBe(true);
  });
});
