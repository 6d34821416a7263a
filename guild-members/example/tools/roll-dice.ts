import { randomInt } from "node:crypto";
import { defineTool } from "../tool.ts";

type Dice = { count: number; sides: number; modifier?: number };
type Input = { dice: string | Dice; seed: number | null };

const notation = /^([1-9]\d?)d([1-9]\d{0,3})([+-]\d{1,4})?$/;

export const rollDice = defineTool<Input>(
  {
    name: "roll_dice",
    title: "Roll dice",
    description: "Rolls dice, written as 2d6+1 or field by field. With a seed, the same dice fall the same way every time.",
    inputSchema: {
      type: "object",
      properties: {
        dice: {
          title: "Dice",
          anyOf: [
            { type: "string", title: "As players write it", pattern: notation.source, examples: ["2d6+1"] },
            {
              type: "object",
              title: "Field by field",
              properties: {
                count: { type: "integer", title: "How many", minimum: 1, maximum: 99 },
                sides: { type: "integer", title: "Sides", minimum: 2, maximum: 9999, examples: [6] },
                modifier: { type: "integer", title: "Added to the sum", minimum: -9999, maximum: 9999 },
              },
              required: ["count", "sides"],
              additionalProperties: false,
            },
          ],
          default: "2d6",
        },
        seed: {
          anyOf: [{ type: "integer", minimum: 0, maximum: 4_294_967_295 }, { type: "null" }],
          title: "Seed",
          description: "Null for chance.",
          default: null,
        },
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: { rolls: { type: "array", items: { type: "integer" } }, sum: { type: "integer" } },
      required: ["rolls", "sum"],
    },
  },
  ({ dice, seed }) => {
    const { count, sides, modifier = 0 } = typeof dice === "string" ? readNotation(dice) : dice;
    const roll = seed === null ? () => randomInt(1, sides + 1) : seeded(seed, sides);
    const rolls = Array.from({ length: count }, roll);
    const sum = rolls.reduce((total, each) => total + each, modifier);
    const added = modifier === 0 ? "" : ` ${modifier < 0 ? "−" : "+"} ${Math.abs(modifier)}`;
    return { content: [{ type: "text", text: `${rolls.join(" + ")}${added} = ${sum}` }], structuredContent: { rolls, sum } };
  },
);

function readNotation(written: string): Dice {
  const [, count, sides, modifier = "0"] = notation.exec(written) ?? [];
  return { count: Number(count), sides: Number(sides), modifier: Number(modifier) };
}

/** Mulberry32: small, and the same on every machine. */
function seeded(seed: number, sides: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (((mixed ^ (mixed >>> 14)) >>> 0) % sides) + 1;
  };
}
