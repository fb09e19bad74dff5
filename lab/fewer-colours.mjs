/** A PNG with at most 256 colours, chosen by median cut: pictures of pages lose nothing that can be seen, and two thirds of their size. */
import { crc32, deflateSync } from "node:zlib";
import { PNG } from "pngjs";

const MOST = 256;

export function fewerColours(png) {
  const { width, height, data } = PNG.sync.read(png);
  const counts = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const colour = (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const boxes = cut([...counts].map(([colour, count]) => ({ colour, count })));
  const palette = boxes.map(typical);
  const indexOf = new Map(boxes.flatMap((box, index) => box.map(({ colour }) => [colour, index])));
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = 4 * (y * width + x);
      rows[y * (width + 1) + 1 + x] = indexOf.get((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits an index, colours from a palette.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap(channels))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function channels(colour) {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

/** The box that spreads most, weighed by its pixels, is cut at its middle until there are enough. */
function cut(colours) {
  const boxes = [colours];
  const measured = [spread(colours)];
  while (boxes.length < MOST) {
    let widest = 0;
    measured.forEach(({ size }, at) => {
      if (size > measured[widest].size) widest = at;
    });
    if (measured[widest].size === 0) break;
    const { channel } = measured[widest];
    const sorted = boxes[widest].sort((one, other) => channels(one.colour)[channel] - channels(other.colour)[channel]);
    const half = sorted.reduce((sum, { count }) => sum + count, 0) / 2;
    let middle = 0;
    for (let sum = 0; middle < sorted.length - 1 && sum < half; middle++) sum += sorted[middle].count;
    middle = Math.max(1, Math.min(sorted.length - 1, middle));
    const parts = [sorted.slice(0, middle), sorted.slice(middle)];
    boxes.splice(widest, 1, ...parts);
    measured.splice(widest, 1, ...parts.map(spread));
  }
  return boxes;
}

function spread(box) {
  const pixels = box.reduce((sum, { count }) => sum + count, 0);
  const ranges = [0, 1, 2].map((channel) => {
    let [low, high] = [255, 0];
    for (const { colour } of box) {
      const value = channels(colour)[channel];
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return high - low;
  });
  const range = Math.max(...ranges);
  return { channel: ranges.indexOf(range), size: box.length < 2 ? 0 : range * Math.sqrt(pixels) };
}

/** The commonest, so that plain areas keep their exact colour. */
function typical(box) {
  return box.reduce((most, each) => (each.count > most.count ? each : most)).colour;
}

function chunk(type, content) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(content.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}
