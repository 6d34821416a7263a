import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { createAsk } from "./ask.ts";

const person = () => Object.assign(new PassThrough(), { isTTY: true });
const terminal = () => ({ stdin: person(), stderr: person() });

describe("asking at the terminal", () => {
  it.each(["y\n", "yes\n", "Y\n", " YES \n", "y"])("takes %j for a yes (SEC-11)", async (typed) => {
    const at = terminal();
    at.stdin.end(typed);

    expect(await createAsk(at)("Add it?")).toBe(true);
  });

  it.each(["\n", "", "n\n", "no\n", "yeah\n", "yes please\n", "\ny\n"])(
    "takes %j for a no: Enter alone never agrees (SEC-11)",
    async (typed) => {
      const at = terminal();
      at.stdin.end(typed);

      expect(await createAsk(at)("Add it?")).toBe(false);
    },
  );

  it("asks one question after the other, and says what the answers mean", async () => {
    const { stdin, stderr } = terminal();
    const ask = createAsk({ stdin, stderr });

    const first = ask("Add a?");
    stdin.write("y\n");
    const second = first.then(() => ask("Add b?"));
    await first;
    stdin.write("n\n");

    expect([await first, await second]).toEqual([true, false]);
    stderr.end();
    expect(await text(stderr)).toBe("Add a? [y/N] Add b? [y/N] ");
  });

  it.each(["stdin", "stderr"])("asks nobody where nobody is at %s", async (stream) => {
    const ask = createAsk({ ...terminal(), [stream]: new PassThrough() });

    await expect(ask("Add it?")).rejects.toMatchObject({ code: "bad_request" });
  });
});
