import { encodePng } from "../png.ts";
import type { Colour } from "../png.ts";
import { defineTool } from "../tool.ts";

type Input = {
  values: number[];
  direction: "up" | "right";
  colour: string;
  background: string | null;
  width: number;
  height: number;
  format: "png" | "svg";
};

type Bar = { x: number; y: number; width: number; height: number };

const hexColour = "^#[0-9a-fA-F]{6}$";
const side = { type: "integer", minimum: 64, maximum: 1024, multipleOf: 8 };

export const drawChart = defineTool<Input>(
  {
    name: "draw_chart",
    title: "Draw a chart",
    description: "Draws numbers as bars and answers with the picture.",
    inputSchema: {
      type: "object",
      properties: {
        values: {
          type: "array",
          title: "Values",
          items: { type: "number", minimum: 0, maximum: 1e9 },
          minItems: 1,
          maxItems: 30,
          examples: [[3, 1, 4, 1, 5, 9, 2, 6]],
        },
        direction: {
          title: "Bars grow",
          oneOf: [
            { const: "up", title: "upwards" },
            { const: "right", title: "to the right" },
          ],
          default: "up",
        },
        colour: { type: "string", title: "Colour of the bars", pattern: hexColour, default: "#b45309" },
        background: {
          type: ["string", "null"],
          title: "Background",
          description: "Null for white.",
          pattern: hexColour,
          default: null,
        },
        width: { ...side, title: "Width in pixels", default: 320 },
        height: { ...side, title: "Height in pixels", default: 160 },
        format: { type: "string", title: "Format", enum: ["png", "svg"], default: "png" },
      },
      required: ["values"],
      additionalProperties: false,
    },
  },
  (input) => {
    const bars = layOut(input);
    const picture = input.format === "png" ? paint(bars, input) : Buffer.from(writeSvg(bars, input));
    const { values } = input;
    return {
      content: [
        { type: "image", data: picture.toString("base64"), mimeType: input.format === "png" ? "image/png" : "image/svg+xml" },
        { type: "text", text: `${values.length} bars, from ${Math.min(...values)} to ${Math.max(...values)}.` },
      ],
    };
  },
);

/** Whole pixels, a gap of two between the bars, the largest value over the full length. */
function layOut({ values, direction, width, height }: Input): Bar[] {
  const [across, along] = direction === "up" ? [width, height] : [height, width];
  const largest = Math.max(...values) || 1;
  const slot = across / values.length;
  return values.map((value, at) => {
    const start = Math.round(at * slot);
    const thickness = Math.max(1, Math.round((at + 1) * slot) - start - 2);
    const length = Math.round((value / largest) * along);
    return direction === "up"
      ? { x: start, y: height - length, width: thickness, height: length }
      : { x: 0, y: start, width: length, height: thickness };
  });
}

function paint(bars: readonly Bar[], { width, height, colour, background }: Input): Buffer {
  const pixels = new Uint8Array(width * height * 3);
  const fill = (bar: Bar, paintColour: Colour): void => {
    for (let y = bar.y; y < bar.y + bar.height; y += 1) {
      for (let x = bar.x; x < bar.x + bar.width; x += 1) pixels.set(paintColour, (y * width + x) * 3);
    }
  };
  fill({ x: 0, y: 0, width, height }, readColour(background ?? "#ffffff"));
  for (const bar of bars) fill(bar, readColour(colour));
  return encodePng(width, height, pixels);
}

const readColour = (hex: string): Colour => [channel(hex, 1), channel(hex, 3), channel(hex, 5)];

const channel = (hex: string, at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);

/** The colours have passed their patterns, so nothing here can be markup. */
function writeSvg(bars: readonly Bar[], { width, height, colour, background }: Input): string {
  const rectangles = bars.map((bar) => `<rect x="${bar.x}" y="${bar.y}" width="${bar.width}" height="${bar.height}" fill="${colour}"/>`);
  const paper = `<rect width="${width}" height="${height}" fill="${background ?? "#ffffff"}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${paper}${rectangles.join("")}</svg>`;
}
