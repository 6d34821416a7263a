import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHallClient } from "../../src/client/hall-client.ts";
import { MemberName } from "../../src/schema/ids.ts";
import { commandOf } from "../../src/cli/service/systemd-words.testing.ts";
import { installPackage } from "./installed-package.ts";
import type { InstalledPackage, ServedPackage } from "./installed-package.ts";

const repository = join(import.meta.dirname, "../..");

/** All that is in the package, and how large each part may be once it is unpacked: a little more than it is. */
const mostKilobytes: Record<string, number> = {
  "ARCHITECTURE.md": 18,
  "CHANGELOG.md": 18,
  "CONTRIBUTING.md": 14,
  LICENSE: 2,
  "README.md": 15,
  bin: 5,
  "dist/adapters": 500,
  "dist/cli": 210,
  "dist/client": 35,
  "dist/core": 310,
  "dist/schema": 85,
  "dist/scripted-model": 65,
  "dist/server": 165,
  "dist/web": 5_000,
  docs: 390,
  "guild-members/example": 60,
  "guild-members/researcher": 190,
  "package.json": 4,
  "templates/member": 6,
};
const mostBytes = 2_150_000;

describe("the package, installed in an empty folder of a machine with its own Node", () => {
  let installed: InstalledPackage;
  let hall: ServedPackage | undefined;

  beforeAll(async () => {
    installed = await installPackage(repository);
    hall = await installed.serve();
  }, 300_000);

  afterAll(async () => {
    await hall?.stop("SIGKILL").catch(() => undefined);
    await installed.remove();
  });

  const served = (): ServedPackage => hall ?? expect.unreachable("the hall did not start");

  it("is small, and holds what is run and nothing else", () => {
    const { size, files } = installed.tarball;
    // A new member begins with a test of its own.
    const unwanted = /^(?!templates\/).*\.(test|testing|fixture)\.|^dist\/.+\.tsx?$|\.map$|^guild-members\/\w+\/(jobs|memory)\//;
    const places = Object.groupBy(files, ({ path }) => placeOf(path));

    expect(files.filter(({ path }) => unwanted.test(path))).toEqual([]);
    expect(Object.keys(places).toSorted()).toEqual(Object.keys(mostKilobytes).toSorted());
    const grown = Object.entries(places).flatMap(([place, within = []]) => {
      const kilobytes = Math.ceil(within.reduce((sum, file) => sum + file.size, 0) / 1000);
      return kilobytes > (mostKilobytes[place] ?? 0) ? [`${place} has ${kilobytes} kB`] : [];
    });
    expect(grown).toEqual([]);
    expect(size).toBeLessThan(mostBytes);
  });

  it("is about as large as CONTRIBUTING.md says", async () => {
    const page = await readFile(join(repository, "CONTRIBUTING.md"), "utf8");
    const [, packed, unpacked] = /a package of ([\d.]+) MB, ([\d.]+) MB once it is unpacked/.exec(page) ?? [];
    const { size, files } = installed.tarball;
    const sizes = [size, files.reduce((sum, file) => sum + file.size, 0)];

    const ratios = [packed, unpacked].map((said, at) => (sizes[at] ?? 0) / 1_000_000 / Number(said));

    expect(ratios.filter((ratio) => !(ratio > 0.85 && ratio < 1.15))).toEqual([]);
  });

  it("names no place of the machine it was made on", async () => {
    const texts = await Promise.all(
      installed.tarball.files.map(async ({ path }) => ({ path, text: await readFile(join(installed.folder, path), "latin1") })),
    );

    expect(texts.filter(({ text }) => text.includes(repository)).map(({ path }) => path)).toEqual([]);
  });

  it("starts itself on the Node it brings, with the variables of the folder in which it was installed", async () => {
    const file = join(installed.folder, "../../.env.local");
    await writeFile(file, "GUILD_HALL_MODEL=of-the-installation\n", { mode: 0o600 });

    const { stdout } = await installed.guildHall("doctor", "--json");
    await rm(file);

    expect(stdout).toContain(`${file} sets GUILD_HALL_MODEL.`);
    expect(stdout).toMatch(/Node 24\.\d+\.\d+ is in use; 24\.\d+\.\d+ comes with Guild Hall\./);
  });

  it("answers with the demo model where nothing is configured", async () => {
    const health = await createHallClient({ baseUrl: served().url }).health();

    expect(health).toMatchObject({ status: "ok", model: { backend: "demo" } });
  });

  it("serves its pages with all scripts, styles and fonts", async () => {
    const { url } = served();
    const pages = await Promise.all(["/", "/jobs", "/roster", "/roster/example", "/settings"].map((path) => fetch(new URL(path, url))));
    const parts = [...new Set((await Promise.all(pages.map(async (page) => partsOf(await page.text())))).flat())];
    const styles = parts.filter((part) => part.endsWith(".css"));
    const fonts = (await Promise.all(styles.map((style) => fontsOf(new URL(style, url))))).flat();
    const answers = await Promise.all(
      [...parts, ...fonts].map(async (part) => ({ part, status: (await fetch(new URL(part, url))).status })),
    );

    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));
    expect(parts.filter((part) => part.endsWith(".js")).length).toBeGreaterThan(0);
    expect(fonts.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it("holds a conversation with the real SDK and streams the answer (REQ-GH1-1)", async () => {
    const client = createHallClient({ baseUrl: served().url });
    const { id } = await client.sessions.create({ name: "First" });
    const { messageId } = await client.sessions.send(id, "Hello");

    let streamed = "";
    for await (const { event } of client.sessions.events(id)) if (event.event === "text") streamed += event.data.text;

    const { messages, session } = await client.sessions.get(id);
    const answer = messages.filter(({ role }) => role === "assistant").flatMap(({ blocks }) => blocks);
    expect(messages[0]?.id).toBe(messageId);
    expect(session).toMatchObject({ status: "idle", error: null });
    expect(streamed).toMatch(/\w/);
    expect(answer.map((block) => (block.type === "text" ? block.text : "")).join("")).toBe(streamed);
  });

  it("brings its guild members, which are connected, and one of them answers a call (REQ-GH1-5, REQ-GH1-29)", async () => {
    const client = createHallClient({ baseUrl: served().url });
    const statuses = () => Promise.all(["example", "researcher"].map(async (name) => (await client.roster.get(name)).status));
    await expect.poll(statuses, { timeout: 30_000 }).toEqual(["connected", "connected"]);

    const member = MemberName.parse("example");
    const { content } = await client.tools.invoke({ member, tool: "divide", input: { dividend: 22, divisor: 7, whole: true } });

    expect(content).toMatchObject([{ type: "text", text: "3, remainder 1" }]);
  });

  // At once, because each of them mostly waits.
  it.concurrent("begins a member from its template, which works at once", async () => {
    const made = await installed.guildHall("new", "member", "my-tools", "--yes");
    const { stdout } = await installed.guildHall("member", "call", "my-tools", "greet", "--arg", "name=Ada");

    expect(made.stdout).toContain("my-tools is connected and has 1 tool.");
    expect(stdout).toBe("Hello, Ada!\n");
  });

  it.concurrent("brings a worker, and one that is begun from it takes jobs at once and passes the rehearsal it came with (REQ-WD-40, REQ-WD-43)", async () => {
    const made = await installed.guildHall("new", "worker", "my-clerk", "--yes");
    const { stdout } = await installed.guildHall("rehearse", "my-clerk");

    expect(made.stdout).toContain("my-clerk is connected and takes jobs.");
    expect(stdout).toMatch(/\nThe rehearsal went well\.\n$/);
  }, 120_000);

  it("prints a service that runs what is installed", async () => {
    const { stdout } = await installed.guildHall("service", "print", "--systemd");

    expect(commandOf(stdout)).toEqual([expect.any(String), join(installed.folder, "bin/guild-hall.js"), "serve", "--home", installed.home]);
  });

  it("stops on SIGTERM with exit code 0", async () => {
    const { stop } = served();
    hall = undefined;

    expect(await stop("SIGTERM")).toEqual({ code: 0, signal: null });
  });
});

/** The part of the package that a file belongs to. */
const placeOf = (path: string): string => /^(?:(?:dist|guild-members|templates)\/[^/]+|[^/]+)/.exec(path)?.[0] ?? path;

/** What a page loads: scripts, styles and preloads of our own. */
const partsOf = (html: string): string[] => [
  ...new Set([...html.matchAll(/(?:src|href)="(\/_next\/[^"]+)"/g)].flatMap((match) => match[1] ?? [])),
];

async function fontsOf(style: URL): Promise<string[]> {
  const css = await (await fetch(style)).text();
  return [...css.matchAll(/url\(["']?([^"')]+\.woff2)["']?\)/g)].flatMap((match) =>
    match[1] === undefined ? [] : [new URL(match[1], style).pathname],
  );
}
