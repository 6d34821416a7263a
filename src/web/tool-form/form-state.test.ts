import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFormReducer } from "./form-state.ts";
import type { FormAction, FormState } from "./form-state.ts";
import type { JsonObject } from "./json.ts";
import { problemsOf, toldProblems } from "./problems.ts";
import { createSchemaReader } from "./read-schema.ts";
import { toolSample } from "./schema-arbitrary.testing.ts";

function formOf(schema: JsonObject) {
  const { reduce, begin } = createFormReducer(createSchemaReader(schema), schema);
  return { begin, after: (...actions: FormAction[]): FormState => actions.reduce(reduce, begin()) };
}

describe("form and JSON", () => {
  it("are two views of one input: whatever fits goes there and back unchanged", () => {
    fc.assert(
      fc.property(toolSample, ({ schema, value }) => {
        const { after } = formOf(schema);

        const asJson = after({ type: "load", input: value }, { type: "show", mode: "json" });
        const back = after({ type: "load", input: value }, { type: "show", mode: "json" }, { type: "show", mode: "form" });

        expect(JSON.parse(asJson.text)).toEqual(value);
        expect(back).toMatchObject({ mode: "form", misfit: null });
        expect(back.input).toEqual(value);
      }),
      { numRuns: 300 },
    );
  });

  const { after } = formOf({ type: "object", properties: { sql: { type: "string" }, rows: { type: "array", items: { type: "number" } } } });

  it.each([
    ["text that is no JSON", "{ nonsense", "Line 1, column 3"],
    ["a list", "[]", "is an object"],
    ["a list where a text belongs", '{"sql": [1]}', '"sql" is a list, and the form has a text field there.'],
    ["a text where a list belongs", '{"rows": "1"}', '"rows" is text'],
    ["an object deep inside", '{"rows": [1, {}]}', '"rows[1]" is an object'],
  ])("%s stays in the editor, with the reason", (_, text, reason) => {
    const state = after({ type: "show", mode: "json" }, { type: "text", text }, { type: "show", mode: "form" });

    expect(state).toMatchObject({ mode: "json", text });
    expect(state.misfit).toContain(reason);
  });

  it("keeps what the tool does not describe", () => {
    const input = { sql: "select 1", unheard: { of: [1] } };

    const state = after({ type: "show", mode: "json" }, { type: "text", text: JSON.stringify(input) }, { type: "show", mode: "form" });

    expect(state).toMatchObject({ mode: "form", input });
  });
});

describe("what is left out, empty and null", () => {
  const { after } = formOf({ type: "object", properties: { a: { type: "string" }, b: { type: ["string", "null"] } } });

  it("are three things", () => {
    expect(after().input).toEqual({});
    expect(after({ type: "set", path: ["a"], value: "" }).input).toEqual({ a: "" });
    expect(after({ type: "set", path: ["b"], value: null }).input).toEqual({ b: null });
    expect(after({ type: "set", path: ["b"], value: null }, { type: "set", path: ["b"], value: undefined }).input).toEqual({});
  });
});

describe("the input before anybody fills it in", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["has defaults", { properties: { a: { default: 3 }, b: { type: "object", default: { c: 1 } } } }, { a: 3, b: { c: 1 } }],
    ["leaves out what is optional", { properties: { a: { type: "string" }, b: { type: "object", properties: {} } } }, {}],
    [
      "has what is required and holds no choice",
      {
        required: ["flag", "list", "only", "inner"],
        properties: {
          flag: { type: "boolean" },
          list: { type: "array", items: { type: "string" } },
          only: { const: "x" },
          inner: { type: "object", required: ["deep"], properties: { deep: { type: "boolean" }, more: { type: "string" } } },
        },
      },
      { flag: false, list: [], only: "x", inner: { deep: false } },
    ],
    ["leaves out text that is required", { required: ["a"], properties: { a: { type: "string" } } }, {}],
  ])("%s", (_, schema, expected) => {
    expect(formOf({ type: "object", ...schema }).begin().input).toEqual(expected);
  });

  it("has an end where the schema has none", () => {
    const schema = {
      $ref: "#/$defs/node",
      $defs: { node: { type: "object", required: ["next"], properties: { next: { $ref: "#/$defs/node" } } } },
    };

    const { input } = formOf(schema).begin();

    expect(JSON.stringify(input).length).toBeLessThan(200);
  });
});

describe("another variant", () => {
  const variants = {
    mail: {
      type: "object",
      required: ["kind", "to"],
      properties: { kind: { const: "mail" }, to: { type: "string" }, subject: { type: "string" } },
    },
    phone: {
      type: "object",
      required: ["kind", "to"],
      properties: { kind: { const: "phone" }, to: { type: "string" }, at: { type: "integer" } },
    },
  };
  const { after } = formOf({ type: "object", properties: { contact: { oneOf: [variants.mail, variants.phone] } } });
  const filled: FormAction = { type: "load", input: { contact: { kind: "mail", to: "Ada", subject: "Hello" } } };
  const toPhone: FormAction = { type: "choose", path: ["contact"], from: 0, to: 1, part: variants.phone };
  const toMail: FormAction = { type: "choose", path: ["contact"], from: 1, to: 0, part: variants.mail };

  it("keeps what fits it", () => {
    expect(after(filled, toPhone).input).toEqual({ contact: { kind: "phone", to: "Ada" } });
  });

  it("gives back what it held when somebody goes back", () => {
    expect(after(filled, toPhone, toMail).input).toEqual({ contact: { kind: "mail", to: "Ada", subject: "Hello" } });
  });
});

describe("items of a list", () => {
  const { after } = formOf({ type: "object", properties: { list: { type: "array", items: {} } } });
  const three: FormAction = { type: "load", input: { list: ["a", "b", "c"] } };
  const wrong: FormAction = { type: "draft", path: ["list", 1], problem: "This is wrong." };

  it.each([
    ["up", 0, "/list/0", ["b", "a", "c"]],
    ["down", 2, "/list/2", ["a", "c", "b"]],
  ])("take what is known of them along when they move %s", (_, to, pointer, list) => {
    const state = after(three, wrong, { type: "move", path: ["list"], from: 1, to });

    expect(state.input).toEqual({ list });
    expect(state.drafts).toEqual({ [pointer]: "This is wrong." });
  });

  it("close up when one goes", () => {
    const state = after(three, wrong, { type: "move", path: ["list"], from: 0, to: null });

    expect(state.input).toEqual({ list: ["b", "c"] });
    expect(state.drafts).toEqual({ "/list/0": "This is wrong." });
  });
});

describe("what is wrong", () => {
  const { after } = formOf({ type: "object", properties: { a: {}, b: {} } });
  const found: FormAction = {
    type: "found",
    issues: [
      { path: ["a"], message: "No a." },
      { path: ["b"], message: "No b." },
    ],
  };

  it("is told where somebody has been, and everywhere after a try", () => {
    expect(toldProblems(after(found))).toEqual([]);
    expect(toldProblems(after(found, { type: "touch", path: ["b"] })).map(({ message }) => message)).toEqual(["No b."]);
    expect(toldProblems(after(found, { type: "tried" }))).toHaveLength(2);
  });

  it("is told of a field that was left in the middle of a change when the change has been checked", () => {
    const changed: FormAction = { type: "set", path: ["b"], value: 1 };
    const leave: FormAction = { type: "touch", path: ["b"] };

    expect(toldProblems(after(found, changed, leave))).toEqual([]);
    expect(toldProblems(after(found, changed, leave, found)).map(({ message }) => message)).toEqual(["No b."]);
  });

  it("is told once for each place", () => {
    const state = after(found, { type: "refused", issues: [{ path: ["a"], message: "Not this a." }] });

    expect(problemsOf(state).map(({ message }) => message)).toEqual(["Not this a.", "No b."]);
  });

  it("by the hall's word holds until somebody changes it", () => {
    const refused: FormAction = { type: "refused", issues: [{ path: ["a", "inner"], message: "Not this." }] };

    expect(problemsOf(after(refused, { type: "set", path: ["b"], value: 1 }))).toHaveLength(1);
    expect(problemsOf(after(refused, { type: "set", path: ["a"], value: {} }))).toEqual([]);
  });
});
