import { mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Manifest } from "../../src/schema/manifest.ts";
import { startSharedHallProcess } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";
import { patience, untilConnected } from "../server/members-by-hand.ts";
import { oneBlock, readBlocks, root } from "./blocks.ts";
import type { Block } from "./blocks.ts";
import { openTerminal } from "./terminal.ts";

/** As long as it takes to type all that somebody types in a first hour. */
const long = 180_000;

let hall: HallProcess;

beforeAll(async () => {
  hall = await startSharedHallProcess({
    waiting: false,
    env: { PATH: [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter) },
  });
});

describe("docs/plugins.md", () => {
  let blocks: Block[] = [];
  const block = (kind: string, words: string): string => oneBlock(blocks, kind, words);

  beforeAll(async () => {
    blocks = await readBlocks("docs/plugins.md");
  });

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

  it("has no block that no test here tries", () => {
    const tried = ["new member greeter", "node --test", "Bonjour", "member accept", "member logs", "server-everything", ".mcp.json"];

    expect(blocks.filter(({ kind }) => kind === "ts")).toHaveLength(2);
    expect(blocks.filter(({ kind, text }) => kind === "console" && !tried.some((words) => text.includes(words)))).toEqual([]);
    expect(blocks.filter(({ kind }) => !["json", "ts", "console"].includes(kind))).toEqual([]);
  });

  it(
    "tells how a member begins, changes, is accepted and is looked into, as it really goes",
    async () => {
      const { play } = await openTerminal({ hall });
      const folder = join(hall.home, "guild-members/greeter");

      const begun = await play(block("console", "new member greeter"), block("console", "node --test"));
      await writeFile(join(folder, "server.ts"), block("ts", "in their language"));
      const changed = await play(block("console", "Bonjour"), block("console", "member accept"));
      await writeFile(join(folder, "guild-member.json"), block("json", '"greeter"'));
      await expect
        .poll(() => hall.client.roster.get("greeter"), patience)
        .toMatchObject({ description: "Greets people.", status: "connected" });
      const lookedInto = await play(block("console", "member logs"));

      expect([...begun, ...changed, ...lookedInto]).toEqual([]);
    },
    long,
  );

  it("has a member over HTTP that works, and is closed to web pages and to other users (SEC-4, SEC-16)", async () => {
    const { play } = await openTerminal({ hall });
    const folder = join(hall.home, "guild-members/clock");
    await mkdir(folder);
    await writeFile(join(folder, "server.ts"), block("ts", "isFromHere"));
    await writeFile(join(folder, "guild-member.json"), block("json", '"clock"'));
    await untilConnected(hall, "clock");

    const called = await play(`$ guild-hall member call clock year\n${new Date().getFullYear()}\n`);
    const { steps } = await hall.client.roster.get("clock");
    const port = /port (\d+)/.exec(steps.find(({ name }) => name === "listening")?.detail ?? "")?.[1];
    const record = JSON.parse(await readFile(join(hall.home, "state/members/clock.json"), "utf8")) as { mark: string }; // the hall's own
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", headers })).status;

    expect(called).toEqual([]);
    expect(await ask({ "guild-hall-member": record.mark, origin: "https://evil.example" })).toBe(403);
    expect(await ask({})).toBe(403);
    expect(await ask({ "guild-hall-member": record.mark })).not.toBe(403);
  });

  it("tells how a program is added and removed, and servers are taken over (SEC-11)", async () => {
    const { play, folder } = await openTerminal({ hall, env: { GREETING_TOOLS: "/opt/greeting" } });
    const server = { command: "node", args: ["${GREETING_TOOLS}/server.ts", "--${MOOD:-mild}"] };
    await writeFile(join(folder, ".mcp.json"), JSON.stringify({ mcpServers: { "Greeting Tools": server } }));

    const added = await play(block("console", "server-everything"));
    const takenOver = await play(block("console", ".mcp.json"));

    expect([...added, ...takenOver]).toEqual([]);
  });
});

describe("the README of the researcher", () => {
  it(
    "tells how a worker of one's own begins and is rehearsed, and how it is asked by hand",
    async () => {
      const { play } = await openTerminal({ hall });
      const blocks = await readBlocks("guild-members/researcher/README.md");
      await untilConnected(hall, "researcher");

      const missing = await play(...blocks.filter(({ kind }) => kind === "console").map(({ text }) => text));

      expect(blocks.filter(({ kind }) => kind !== "console" && kind !== "")).toEqual([]);
      expect(missing).toEqual([]);
    },
    long,
  );
});

describe("docs/api.md", () => {
  it(
    "tells how a session, its stream and a job are used with curl",
    async () => {
      const { play } = await openTerminal({ hall });
      const blocks = await readBlocks("docs/api.md");
      await untilConnected(hall, "example", "researcher");

      const missing = await play(oneBlock(blocks, "console", "curl"));

      expect(missing).toEqual([]);
    },
    long,
  );
});

describe("docs/first-hour.md", () => {
  it(
    "goes as it says, from the first look to the stopped hall",
    async () => {
      const { play } = await openTerminal({ hall });
      const blocks = await readBlocks("docs/first-hour.md");
      const sessions = blocks.filter(({ kind }) => kind === "console").map(({ text }) => text);

      const open = await play(...sessions.slice(0, -1));
      const ended = await hall.end("SIGINT");
      const stopped = await play(...sessions.slice(-1));

      expect([...open, ...stopped]).toEqual([]);
      expect(ended).toEqual({ code: 0, signal: null });
      expect(hall.said()).toMatch(/^Model: scripted demo\. The built-in scripted model answers, because .*Stopped\.$/ms);
      // What this cannot type, other tests do: the package is installed, and the pages are built and served.
      expect(oneBlock(blocks, "sh", "npm ci")).toMatch(/^git clone .*\ncd guild-hall\nnpm ci && npm start\n$/);
      expect(blocks.filter(({ kind }) => !["console", "sh", ""].includes(kind))).toEqual([]);
    },
    long,
  );
});
