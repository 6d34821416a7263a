import { mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Manifest } from "../src/schema/manifest.ts";
import { runCli } from "./cli/run-cli.ts";
import type { CliResult } from "./cli/run-cli.ts";
import { startSharedHall } from "./running-hall.ts";
import type { HallProcess } from "./running-hall.ts";
import { patience, untilConnected } from "./server/members-by-hand.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const root = join(import.meta.dirname, "..");

type Block = { kind: string; text: string };
let blocks: Block[] = [];
let hall: HallProcess;

beforeAll(async () => {
  const guide = await readFile(join(root, "docs/plugins.md"), "utf8");
  blocks = [...guide.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, kind = "", text = ""]) => ({ kind, text }));
  hall = await startSharedHall({ env: { PATH: [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter) } });
});

/** The one block of a kind that says this. */
function block(kind: string, words: string): string {
  const found = blocks.filter((each) => each.kind === kind && each.text.includes(words)).map(({ text }) => text);
  expect(found).toHaveLength(1);
  return found.join("");
}

/** Types a session of a terminal, saying yes wherever it is asked for, and answers what was printed and not promised, or promised and not printed. */
async function play(session: string, options: { cwd?: string; env?: Record<string, string> } = {}): Promise<string[]> {
  const missing: string[] = [];
  for (const step of session.split(/^\$ /m).slice(1)) {
    const [typed = "", ...promised] = step.trimEnd().split("\n");
    const { stdout, stderr, code } = await type(typed, options);
    const printed = `${stdout}\n${stderr}`;
    missing.push(
      ...promised.filter((line) => !printed.includes(line)).map((line) => `${typed} [${code}] did not print: ${line}\n${printed}`),
    );
  }
  return missing;
}

async function type(typed: string, { cwd, env = {} }: { cwd?: string; env?: Record<string, string> }): Promise<CliResult> {
  const words = [...typed.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) => single ?? double ?? bare ?? "");
  const [program, ...args] = words;
  expect(program).toBe("guild-hall");
  const asks = ["new", "add", "remove", "accept"].some((word) => args.slice(0, 2).includes(word));
  return runCli(asks ? [...args.slice(0, 2), "--yes", ...args.slice(2)] : args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { GUILD_HALL_HOME: hall.home, ...env },
  });
}

describe("docs/plugins.md", () => {
  it("has manifests that the hall takes (REQ-GH1-24)", () => {
    const manifests = blocks.filter(({ kind }) => kind === "json").map(({ text }) => Manifest.parse(JSON.parse(text)).name);

    expect(manifests).toEqual(["greeter", "clock"]);
  });

  it("names every key of a manifest", async () => {
    const guide = await readFile(join(root, "docs/plugins.md"), "utf8");
    const keys = [
      ...Object.keys(Manifest.shape).filter((key) => key !== "mcp"),
      ...Object.keys(Manifest.shape.mcp.shape).map((key) => `mcp.${key}`),
    ];

    expect(keys.filter((key) => !new RegExp(`^\\| \`${key}\``, "m").test(guide))).toEqual([]);
  });

  it("tells how a member begins, changes, is accepted and is looked into, as it really goes", async () => {
    const folder = join(hall.home, "guild-members/greeter");

    const begun = await play(block("console", "new member greeter"));
    await writeFile(join(folder, "server.ts"), block("ts", "in their language"));
    const changed = await play(block("console", "Bonjour"));
    const accepted = await play(block("console", "member accept"));
    await writeFile(join(folder, "guild-member.json"), block("json", '"greeter"'));
    await expect
      .poll(() => hall.client.roster.get("greeter"), patience)
      .toMatchObject({ description: "Greets people.", status: "connected" });
    const lookedInto = await play(block("console", "member logs"));
    const worker = await play(block("console", "new worker"));

    expect([...begun, ...changed, ...accepted, ...lookedInto, ...worker]).toEqual([]);
  });

  it("has a member over HTTP that works, and is closed to web pages (SEC-4)", async () => {
    const folder = join(hall.home, "guild-members/clock");
    await mkdir(folder);
    await writeFile(join(folder, "server.ts"), block("ts", "isFromHere"));
    await writeFile(join(folder, "guild-member.json"), block("json", '"clock"'));
    await untilConnected(hall, "clock");

    const { stdout } = await type("guild-hall member call clock year", {});
    const { steps } = await hall.client.roster.get("clock");
    const port = /port (\d+)/.exec(steps.find(({ name }) => name === "listening")?.detail ?? "")?.[1];
    const foreign = await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", headers: { origin: "https://evil.example" } });

    expect(stdout).toBe(`${new Date().getFullYear()}\n`);
    expect(foreign.status).toBe(403);
  });

  it("tells how a program is added and removed, and servers are taken over (SEC-11)", async () => {
    const folder = await temporaryFolder();
    const server = { command: "node", args: ["${GREETING_TOOLS}/server.ts", "--${MOOD:-mild}"] };
    await writeFile(join(folder, ".mcp.json"), JSON.stringify({ mcpServers: { "Greeting Tools": server } }));

    const added = await play(block("console", "server-everything"));
    const takenOver = await play(block("console", ".mcp.json"), { cwd: folder, env: { GREETING_TOOLS: "/opt/greeting" } });

    expect([...added, ...takenOver]).toEqual([]);
  });
});
