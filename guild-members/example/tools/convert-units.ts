import { defineTool } from "../tool.ts";

type Measurement = { kind: keyof typeof units; value: number; from: string; to: string };
type Input = { measurement: Measurement; digits: number };

type Unit = { factor: number; offset?: number };

/** To the base of its kind: (value + offset) × factor. */
const units = {
  length: { m: { factor: 1 }, km: { factor: 1000 }, ft: { factor: 0.3048 }, mi: { factor: 1609.344 } },
  mass: { kg: { factor: 1 }, g: { factor: 0.001 }, lb: { factor: 0.45359237 }, oz: { factor: 0.028349523125 } },
  temperature: { K: { factor: 1 }, "°C": { factor: 1, offset: 273.15 }, "°F": { factor: 5 / 9, offset: 459.67 } },
} satisfies Record<string, Record<string, Unit>>;

const lowest: Record<keyof typeof units, object> = { length: {}, mass: { minimum: 0 }, temperature: { minimum: -459.67 } };

const measurement = (kind: keyof typeof units) => ({
  type: "object",
  title: kind.charAt(0).toUpperCase() + kind.slice(1),
  properties: {
    kind: { const: kind },
    value: { type: "number", title: "Value", ...lowest[kind] },
    from: { enum: Object.keys(units[kind]), title: "From" },
    to: { enum: Object.keys(units[kind]), title: "To" },
  },
  required: ["kind", "value", "from", "to"],
  additionalProperties: false,
});

export const convertUnits = defineTool<Input>(
  {
    name: "convert_units",
    title: "Convert units",
    description: "Converts a length, a mass or a temperature. Which units there are depends on the kind.",
    inputSchema: {
      type: "object",
      properties: {
        measurement: {
          title: "Measurement",
          oneOf: [{ $ref: "#/$defs/length" }, { $ref: "#/$defs/mass" }, { $ref: "#/$defs/temperature" }],
          discriminator: { propertyName: "kind" },
        },
        digits: { type: "integer", title: "Digits after the point", minimum: 0, maximum: 10, default: 2 },
      },
      required: ["measurement"],
      additionalProperties: false,
      $defs: { length: measurement("length"), mass: measurement("mass"), temperature: measurement("temperature") },
    },
    outputSchema: {
      type: "object",
      properties: { value: { type: "number" }, unit: { type: "string" } },
      required: ["value", "unit"],
    },
  },
  ({ measurement: { kind, value, from, to }, digits }) => {
    const [source, target] = [unitOf(kind, from), unitOf(kind, to)];
    const base = (value + (source.offset ?? 0)) * source.factor;
    const converted = Number((base / target.factor - (target.offset ?? 0)).toFixed(digits));
    return {
      content: [{ type: "text", text: `${value} ${from} = ${converted} ${to}` }],
      structuredContent: { value: converted, unit: to },
    };
  },
);

function unitOf(kind: keyof typeof units, name: string): Unit {
  const unit = Object.entries<Unit>(units[kind]).find(([known]) => known === name)?.[1];
  if (unit === undefined) throw new Error(`There is no unit "${name}" of ${kind}.`);
  return unit;
}
