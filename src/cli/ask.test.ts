import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { createAsk } from "./ask.ts";

const terminal = () => ({ input: new PassThrough(), output: new PassThrough(), isTerminal: true });

describe("asking at the terminal", () => {
  it.each(["y\n", "yes\n", "Y\n", " YES \n", "y"])("takes %j for a yes (SEC-11)", async (typed) => {
    const { input, ...rest } = terminal();
    input.end(typed);

    expect(await createAsk({ input, ...rest })("Add it?")).toBe(true);
  });

  it.each(["\n", "", "n\n", "no\n", "yeah\n", "yes please\n", "\ny\n"])(
    "takes %j for a no: Enter alone never agrees (SEC-11)",
    async (typed) => {
      const { input, ...rest } = terminal();
      input.end(typed);

      expect(await createAsk({ input, ...rest })("Add it?")).toBe(false);
    },
  );

  it("asks one question after the other, and says what the answers mean", async () => {
    const { input, output, isTerminal } = terminal();
    const ask = createAsk({ input, output, isTerminal });

    const first = ask("Add a?");
    input.write("y\n");
    const second = first.then(() => ask("Add b?"));
    await first;
    input.write("n\n");

    expect([await first, await second]).toEqual([true, false]);
    output.end();
    expect(await text(output)).toBe("Add a? [y/N] Add b? [y/N] ");
  });

  it("asks nobody where nobody is", async () => {
    await expect(createAsk({ ...terminal(), isTerminal: false })("Add it?")).rejects.toMatchObject({ code: "bad_request" });
  });
});
