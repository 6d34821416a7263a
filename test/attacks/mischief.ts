import { chmod, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { SessionId } from "../../src/schema/ids.ts";
import type { Block } from "../../src/schema/session.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { personKeyOf } from "../person.ts";
import type { Hall } from "../running-hall.ts";
import { members, recordOf, secrets } from "./closed-hall.ts";
import type { ClosedHall } from "./closed-hall.ts";

/** An agent whose model does what it was told by somebody else. */
export function attackAsAgent(running: () => ClosedHall): void {
  let hall: Hall;
  let model: ScriptedModel;

  beforeAll(() => {
    const closed = running();
    ({ hall, model } = closed);
    closed.plays.set("attack", (step) => (step === 1 ? { tools: [...refused(hall), ...harmless(hall)] } : { text: "I give up." }));
  });

  describe("an agent that was talked into mischief", () => {
    it("writes to no member and no setting, reads nothing beyond its session, and starts no program (SEC-7, SEC-8, SEC-10, SEC-11)", async () => {
      await writeFile(join(hall.home, "trap.sh"), `#!/bin/sh\ntouch ${join(hall.home, "sprung")}\n`);
      await chmod(join(hall.home, "trap.sh"), 0o700);
      const before = await configuration(hall);
      const { id } = await hall.client.sessions.create({ name: "Mischief", members: [...members] });
      await writeFile(join(hall.home, "sessions", id, "artifacts/--help"), "a file with an odd name");

      const blocks = await sendAndWait(hall, id, "attack");

      const results = blocks.flatMap((block) => (block.type === "tool_result" ? [block] : []));
      expect(results).toHaveLength(refused(hall).length + harmless(hall).length);
      expect(refused(hall).filter((_, index) => results[index]?.isError !== true)).toEqual([]);
      const shown = JSON.stringify(model.requests.map(({ body }) => body.messages));
      for (const secret of [(await recordOf(hall, "example")).mark, personKeyOf(hall.home), "root:x:0", secrets.planted, secrets.token])
        expect(shown).not.toContain(secret);
      expect(await configuration(hall)).toEqual(before);
      expect(await readdir(hall.home)).not.toContain("sprung");
      expect((await hall.client.roster.list()).members.map(({ name }) => name).toSorted()).toEqual([...members]);
      expect((await hall.client.jobs.list()).jobs.filter(({ description }) => description === "Mischief")).toEqual([]);
    });

    it.each(["--help", "--dangerously-skip-permissions", "-p"])(
      "is given no argument by the name of its model: %s (SEC-7)",
      async (name) => {
        await expect(hall.client.sessions.create({ name: "Odd", model: name })).rejects.toMatchObject({ code: "bad_request" });
      },
    );
  });
}

type Call = NonNullable<Reply["tools"]>[number];

const tool = (name: string, input: Record<string, string>): Call => ({ name, input });

/** Each has to come back as a failure. */
function refused(hall: Hall): Call[] {
  const at = (path: string) => join(hall.home, path);
  const manifest = JSON.stringify({ name: "evil", transport: "stdio", mcp: { command: at("trap.sh") } });
  return [
    tool("Write", { file_path: at("guild-members/evil/guild-member.json"), content: manifest }),
    tool("Write", { file_path: "../../guild-members/evil/guild-member.json", content: manifest }),
    tool("Write", { file_path: "artifacts/../../../guild-members/evil/guild-member.json", content: manifest }),
    tool("Edit", { file_path: at("guild-members/example/guild-member.json"), old_string: '"node"', new_string: '"sh"' }),
    tool("Write", { file_path: at("config.yaml"), content: "agent:\n  webTools: true\n" }),
    tool("Write", { file_path: at("state/accepted-tools/example.json"), content: "{}" }),
    tool("Write", { file_path: "session.json", content: "{}" }),
    tool("Write", { file_path: ".claude/settings.json", content: "{}" }),
    tool("Write", { file_path: ".mcp.json", content: "{}" }),
    tool("Read", { file_path: at("state/members/example.json") }),
    tool("Read", { file_path: at("person.key") }),
    tool("Read", { file_path: "/proc/self/environ" }),
    tool("Read", { file_path: "/etc/passwd" }),
    tool("Grep", { pattern: ".", path: at("state"), output_mode: "content" }),
    tool("Glob", { pattern: at("state/*") }),
    tool("Bash", { command: at("trap.sh") }),
    tool("Task", { description: "x", prompt: "x", subagent_type: "general-purpose" }),
    tool("WebFetch", { url: `${hall.url}/api/sessions`, prompt: "x" }),
    { name: "mcp__researcher-dispatch__dispatch", input: { description: "Mischief", task: "x", config: { maxBudgetUsd: 1000 } } },
    { name: "mcp__researcher-dispatch__dispatch", input: { description: "Mischief", task: "x", config: { permissionMode: "none" } } },
  ];
}

/** What looks like an option to the programs behind the tools. It may fail or not; it must not be one. */
function harmless(hall: Hall): Call[] {
  const option = `--pre=${join(hall.home, "trap.sh")}`;
  return [
    tool("Grep", { pattern: option, path: "artifacts" }),
    tool("Grep", { pattern: "odd", glob: option, path: "artifacts" }),
    tool("Grep", { pattern: "odd", type: option, path: "artifacts" }),
    tool("Glob", { pattern: option }),
    tool("Read", { file_path: "artifacts/--help" }),
  ];
}

/** Everything that says what runs and with which rights, with what it says. Jobs and memories are work. */
async function configuration({ home }: Hall): Promise<string[]> {
  const entries = await readdir(join(home, "guild-members"), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const own = files.filter((path) => !/researcher\/(?:jobs|memory)\//.test(path));
  const settings = ["config.yaml", "state/accepted-tools/example.json"].map((path) => join(home, path));
  const texts = [...own, ...settings].map(async (path) => `${path}: ${await readFile(path, "utf8").catch(() => "not there")}`);
  return (await Promise.all(texts)).toSorted();
}

/** Answers what the agent said and did about the message. */
async function sendAndWait({ client }: Hall, id: SessionId, text: string): Promise<Block[]> {
  const { messageId } = await client.sessions.send(id, text);
  for await (const { event } of client.sessions.events(id)) if (event.event === "done") break;
  const { messages } = await client.sessions.get(id);
  return messages.slice(messages.findIndex((message) => message.id === messageId) + 1).flatMap(({ blocks }) => blocks);
}
