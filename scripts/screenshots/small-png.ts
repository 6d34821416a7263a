import { crc32, deflateSync, inflateSync } from "node:zlib";

/**
 * The same picture with at most 256 colours, which pages of text and flat areas can do with, at a fraction of the size.
 * It takes what browsers write: 8 bits a channel, RGB with or without alpha, not interlaced.
 */
export function shrinkPng(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const { palette, indexOf } = choosePalette(pixels);
  const rows = Buffer.alloc(height * (width + 1));
  // Each row begins with its filter; 0, none, is what indexes are compressed best with.
  for (let at = 0; at < pixels.length; at += 1)
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = indexOf.get(pixels[at] ?? 0) ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8); // 8 bits, by palette
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const parts = [
    chunk("IHDR", header),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat([signature, ...parts]);
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Pixels as 0xRRGGBB, row by row. */
function decode(png: Buffer): { width: number; height: number; pixels: Uint32Array } {
  const [width, height, channels] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === 6 ? 4 : 3];
  const bytes = inflateSync(Buffer.concat([...chunksOf(png, "IDAT")]));
  const stride = width * channels;
  const pixels = new Uint32Array(width * height);
  let above = Buffer.alloc(stride);
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1);
    const row = Buffer.from(bytes.subarray(start + 1, start + 1 + stride));
    unfilter(row, above, bytes[start] ?? 0, channels);
    for (let x = 0; x < width; x += 1) pixels[y * width + x] = row.readUIntBE(x * channels, 3);
    above = row;
  }
  return { width, height, pixels };
}

function* chunksOf(png: Buffer, kind: string): Generator<Buffer> {
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === kind) yield png.subarray(at + 8, at + 8 + length);
    at += length + 12;
  }
}

/** Each byte was written as its difference from a guess by its neighbours, which the filter names. */
function unfilter(row: Buffer, above: Buffer, filter: number, channels: number): void {
  for (let at = 0; at < row.length; at += 1) {
    const left = at < channels ? 0 : (row[at - channels] ?? 0);
    const up = above[at] ?? 0;
    const corner = at < channels ? 0 : (above[at - channels] ?? 0);
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
    row[at] = (row[at] ?? 0) + guess;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

type Counted = readonly [colour: number, count: number];

/** Median cut: the most varied group of colours is halved until there are 256. Its commonest colour stands for a group, so that flat areas stay what they are. */
function choosePalette(pixels: Uint32Array): { palette: number[]; indexOf: Map<number, number> } {
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const groups: Counted[][] = [[...counts]];
  while (groups.length < 256) {
    const widest = groups.map((group, at) => ({ at, ...spreadOf(group) })).toSorted((a, b) => b.weight - a.weight)[0];
    if (widest === undefined || widest.weight === 0) break;
    groups.splice(widest.at, 1, ...halves(groups[widest.at] ?? [], widest.shift));
  }
  const palette = groups.map((group) => group.reduce((most, each) => (each[1] > most[1] ? each : most))[0]);
  return { palette, indexOf: new Map(groups.flatMap((group, at) => group.map(([colour]) => [colour, at] as const))) };
}

/** How far its colours are apart in the channel in which they are so most. */
function spreadOf(group: readonly Counted[]): { shift: number; weight: number } {
  const spreads = [16, 8, 0].map((shift) => {
    let [least, most] = [255, 0];
    for (const [colour] of group) {
      const value = (colour >> shift) & 255;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    return { shift, weight: Math.max(0, most - least) * Math.log2(1 + group.length) };
  });
  return spreads.reduce((most, each) => (each.weight > most.weight ? each : most));
}

function halves(group: readonly Counted[], shift: number): Counted[][] {
  const sorted = group.toSorted(([a], [b]) => ((a >> shift) & 255) - ((b >> shift) & 255));
  const middle = Math.ceil(sorted.length / 2);
  return [sorted.slice(0, middle), sorted.slice(middle)];
}

/** Length, kind, content, and a checksum over kind and content. */
function chunk(kind: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
