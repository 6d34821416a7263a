import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { SessionId } from "../../src/schema/ids.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { composeTestHall } from "../../src/server/composed-hall.testing.ts";

/** Homes as halls of earlier versions left them that were killed: one conversation rests, another was being answered. */
const homes = join(import.meta.dirname, "homes");
const Line = z.looseObject({ id: z.string(), blocks: z.unknown() });

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({ script: () => ({ text: "I remember." }) });
});
afterAll(() => model.close());

const open = (name: string) =>
  composeTestHall({
    config: { runs: { waiting: 0 } },
    env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" },
    async prepare(home) {
      await cp(join(homes, name), home, { recursive: true });
      await mkdir(join(home, "state/unheard-of"), { recursive: true });
      await writeFile(join(home, "state/unheard-of/thing.json"), "of a version that is gone");
      await writeFile(join(home, "sessions/read-me.txt"), "mine");
    },
  });

describe.each(await readdir(homes))("a home of the time of %s", (name) => {
  it("is opened with its sessions whole, and a conversation goes on", async () => {
    const { home, client } = await open(name);

    const { sessions } = await client.sessions.list();
    const shown = await Promise.all(sessions.map(({ id }) => client.sessions.get(id)));
    const id = SessionId.parse(sessions.find((session) => session.name === "Compare the two parsers")?.id);
    await client.sessions.send(id, "And after the upgrade?");
    await expect.poll(async () => (await client.sessions.get(id)).session.status).toBe("idle");

    const written = (await readdir(join(homes, name, "sessions"))).map((each) => SessionId.parse(each));
    expect(sessions.map((session) => `${session.id} ${session.status}`).toSorted()).toEqual(
      written.map((each) => `${each} idle`).toSorted(),
    );
    for (const { session, messages } of shown) {
      const lines = await linesOf(name, session.id);
      expect(messages.slice(0, lines.length)).toMatchObject(lines);
      // What a later version had said when it was killed is taken from where it was kept.
      expect(messages.slice(lines.length).every(({ interrupted }) => interrupted === true)).toBe(true);
    }
    expect(shown.find(({ session }) => session.name === "Cut off")?.session.error).toMatchObject({ code: "interrupted" });
    const { session, messages } = await client.sessions.get(id);
    expect({ error: session.error, last: messages.at(-1)?.blocks }).toEqual({ error: null, last: [{ type: "text", text: "I remember." }] });
    expect(model.requests.at(-1)?.conversation.userTexts).toEqual(["Hello", "And after the upgrade?"]);
    expect(await readFile(join(home, "state/unheard-of/thing.json"), "utf8")).toBe("of a version that is gone");
    expect(await readFile(join(home, "sessions/read-me.txt"), "utf8")).toBe("mine");
  });
});

async function linesOf(name: string, id: string) {
  const text = await readFile(join(homes, name, "sessions", id, "messages.jsonl"), "utf8");
  return text.split("\n").flatMap((line) => (line === "" ? [] : [Line.parse(JSON.parse(line))]));
}
