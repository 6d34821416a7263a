import { describe, expect, it } from "vitest";
import { runCli } from "./run-cli.ts";
import { serveComposedHall } from "./serve-composed-hall.ts";

describe("guild-hall session send", () => {
  it("prints the answer to stdout as the hall stored it, and everything about it to stderr (REQ-GH1-10)", async () => {
    const { home, client } = await serveComposedHall();
    const { id } = await client.sessions.create({ name: "A tour" });

    const { code, stdout, stderr } = await runCli(["session", "send", "tour", "tour", "--home", home]);

    const { messages } = await client.sessions.get(id);
    const said = messages.slice(1).map(({ blocks }) => blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(""));
    expect(stdout).toBe(`${said.join("\n\n")}\n`);
    expect(code).toBe(0);
  });
});
