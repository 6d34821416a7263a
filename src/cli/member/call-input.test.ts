import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readInput } from "./call-input.ts";

const schema = async () => ({ properties: { code: { type: "string" }, count: { type: "integer" }, list: { type: "array" }, any: {} } });
const read = (json: string | undefined, fields?: string[], typed = "") =>
  readInput({ json, fields, stdin: Readable.from([typed]), schema });

describe("the input of a call", () => {
  it("is one JSON document, from the command line or from stdin", async () => {
    expect(await read('{"a":[1]}')).toEqual({ a: [1] });
    expect(await read("-", [], '{"a":[2]}\n')).toEqual({ a: [2] });
    expect(await read(undefined)).toEqual({});
  });

  it("has fields of the types that the tool's schema wants", async () => {
    const input = await read(undefined, ["code=007", "count=7", "list=[1,2]", "any=null", "other=a=b"]);

    expect(input).toEqual({ code: "007", count: 7, list: [1, 2], any: null, other: "a=b" });
  });

  it("takes single fields before those of the document", async () => {
    expect(await read('{"count":1,"code":"a"}', ["count=2"])).toEqual({ count: 2, code: "a" });
  });

  it.each(["", "[]", "1", "null", '"a"', "{a:1}"])("is refused in words when it is %j", async (json) => {
    await expect(read(json)).rejects.toMatchObject({ code: "bad_request" });
  });

  it("does not need a good schema", async () => {
    const input = await readInput({
      json: undefined,
      fields: ["a=1"],
      stdin: Readable.from([]),
      schema: async () => ({ properties: "none" }),
    });

    expect(input).toEqual({ a: 1 });
  });
});
