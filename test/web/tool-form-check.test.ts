import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileSchema } from "../../src/adapters/check-input.ts";
import { checkInput } from "../../src/web/tool-form/check-input.ts";
import { anySample, toolSample } from "../../src/web/tool-form/schema-arbitrary.testing.ts";

describe("the check in the page", () => {
  it("agrees with the validator that the hall uses on what fits and what does not", () => {
    fc.assert(
      fc.property(toolSample, anySample, fc.nat(), ({ schema, value }, other, at) => {
        const keys = Object.keys(value);
        const key = keys[at % Math.max(1, keys.length)];
        const input = key === undefined ? value : { ...value, [key]: other.value };

        const issues = checkInput({ schema, input, choices: {} });

        expect(issues?.length === 0).toBe(compileSchema(schema)(input));
      }),
      { numRuns: 200 },
    );
  });
});
