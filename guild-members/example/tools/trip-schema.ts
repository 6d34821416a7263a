import type { Tool } from "@modelcontextprotocol/sdk/types.js";

export type Trip = {
  calendar: "gregorian";
  title: string;
  reference?: string;
  start: string;
  nights: number;
  departure: string | null;
  pace: "relaxed" | "steady" | "fast";
  organiser: { name: string; contact: { email: string } | { phone: string }; website?: string };
  travellers: { name: string; age?: number; vegetarian?: boolean }[];
  stops: string[];
  budget: { amount: number; currency: string } | null;
  packing: Record<string, number>;
  notes?: string;
};

export const tripInput: Tool["inputSchema"] = {
  type: "object",
  properties: {
    calendar: { const: "gregorian", title: "Calendar", description: "The only one there is.", default: "gregorian" },
    title: { type: "string", title: "Title", minLength: 1, maxLength: 60, examples: ["Along the coast"] },
    reference: { type: "string", title: "Reference", description: "Two letters, a dash, four digits.", pattern: "^[A-Z]{2}-[0-9]{4}$" },
    start: { type: "string", title: "First day", format: "date" },
    nights: { type: "integer", title: "Nights", minimum: 1, maximum: 90, default: 3 },
    departure: { type: ["string", "null"], title: "Departure", description: "Null if it is open.", format: "date-time", default: null },
    pace: { type: "string", title: "Pace", enum: ["relaxed", "steady", "fast"], default: "steady" },
    organiser: {
      type: "object",
      title: "Organiser",
      properties: {
        name: { type: "string", title: "Name", minLength: 1, maxLength: 80 },
        contact: {
          title: "Contact",
          anyOf: [
            {
              type: "object",
              title: "By mail",
              properties: { email: { type: "string", title: "Address", format: "email" } },
              required: ["email"],
              additionalProperties: false,
            },
            {
              type: "object",
              title: "By phone",
              properties: { phone: { type: "string", title: "Number", pattern: "^\\+?[0-9 ]{5,20}$" } },
              required: ["phone"],
              additionalProperties: false,
            },
          ],
        },
        website: { type: "string", title: "Website", format: "uri" },
      },
      required: ["name", "contact"],
      additionalProperties: false,
    },
    travellers: { type: "array", title: "Travellers", items: { $ref: "#/$defs/traveller" }, minItems: 1, maxItems: 12 },
    stops: {
      type: "array",
      title: "Stops",
      description: "In the order of the trip, each once.",
      items: { type: "string", minLength: 1, maxLength: 60 },
      uniqueItems: true,
      minItems: 1,
      maxItems: 20,
    },
    budget: {
      title: "Budget for all",
      anyOf: [{ $ref: "#/$defs/money" }, { type: "null" }],
      default: null,
    },
    packing: {
      type: "object",
      title: "To pack",
      description: "Things and how many of them.",
      additionalProperties: { type: "integer", minimum: 1, maximum: 99 },
      default: {},
    },
    notes: { type: "string", title: "Notes", maxLength: 2000, contentMediaType: "text/markdown" },
  },
  required: ["title", "start", "organiser", "travellers", "stops"],
  additionalProperties: false,
  $defs: {
    traveller: {
      type: "object",
      title: "Traveller",
      properties: {
        name: { type: "string", title: "Name", minLength: 1, maxLength: 80 },
        age: { type: "integer", title: "Age", minimum: 0, maximum: 120 },
        vegetarian: { type: "boolean", title: "Vegetarian", default: false },
      },
      required: ["name"],
      additionalProperties: false,
    },
    money: {
      type: "object",
      title: "Money",
      properties: {
        amount: { type: "number", title: "Amount", exclusiveMinimum: 0, maximum: 1_000_000, multipleOf: 0.5 },
        currency: { type: "string", title: "Currency", enum: ["EUR", "GBP", "JPY", "USD"] },
      },
      required: ["amount", "currency"],
      additionalProperties: false,
    },
  },
};

export const tripOutput: NonNullable<Tool["outputSchema"]> = {
  type: "object",
  properties: {
    stays: {
      type: "array",
      items: {
        type: "object",
        properties: { stop: { type: "string" }, arrival: { type: "string", format: "date" }, nights: { type: "integer", minimum: 0 } },
        required: ["stop", "arrival", "nights"],
      },
    },
    perPerson: { type: ["number", "null"] },
  },
  required: ["stays", "perPerson"],
};
