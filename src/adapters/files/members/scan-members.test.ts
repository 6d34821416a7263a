import { execFileSync } from "node:child_process";
import { chmod, chown, mkdir, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ordinaryUser } from "../../../../test/ordinary-user.ts";
import type { FoundMember } from "../../../core/roster/member-folders.ts";
import { startProgram } from "../child-program.testing.ts";
import { createMemberFolders } from "./member-folders.ts";
import { manifestText, memberHome, putFile } from "./member-home.testing.ts";

async function givenHome() {
  const home = await memberHome();
  const folders = createMemberFolders(home);
  return { ...home, scan: folders.scan };
}

/** Folder and problem of each entry; members that are fine have null. */
const summary = (found: readonly FoundMember[]) => Object.fromEntries(found.map(({ folder, problem }) => [folder, problem]));
const theOne = (found: readonly FoundMember[]): FoundMember | undefined => (found.length === 1 ? found[0] : undefined);

describe("a scan of guild-members", () => {
  it("finds folders with a manifest, and those one level below a folder without (REQ-GH1-5)", async () => {
    const { put, scan, layout } = await givenHome();
    await put("writer/guild-member.json", manifestText("writer"));
    await put("team/editor/guild-member.json", manifestText("editor"));
    await put("team/reviewer/guild-member.json", manifestText("reviewer"));
    await put("team/README.md", "Ours.");
    await put("writer/inner/guild-member.json", manifestText("inner"));
    await put("a/b/c/guild-member.json", manifestText("c"));

    const found = await scan();

    expect(summary(found)).toEqual({ "team/editor": null, "team/reviewer": null, writer: null });
    expect(found[0]).toMatchObject({ path: join(layout.guildMembers, "team/editor"), origin: "added", manifest: { name: "editor" } });
  });

  it("knows workers by their manifest, and takes others as they are (REQ-WD-2)", async () => {
    const { put, scan } = await givenHome();
    await put("plain/guild-member.json", manifestText("plain"));
    await put("worker/guild-member.json", manifestText("worker", { capabilities: ["worker"] }));

    const found = await scan();

    expect(found.map(({ manifest }) => manifest?.capabilities)).toEqual([[], ["worker"]]);
  });

  it("passes over files, hidden folders, packages, temporaries and what is empty", async () => {
    const { put, scan, layout } = await givenHome();
    await put("notes.txt", "");
    await put(".hidden/guild-member.json", manifestText("hidden"));
    await put("node_modules/pkg/guild-member.json", manifestText("pkg"));
    await put(".new-coming.tmp/guild-member.json", manifestText("coming"));
    await put("team/.git/guild-member.json", manifestText("git"));
    await put("only-hidden/.DS_Store", "");
    await mkdir(join(layout.guildMembers, "empty/deep"), { recursive: true });

    expect(await scan()).toEqual([]);
  });

  it("is empty where there is no such folder", async () => {
    const { outside, onProblem, layout } = await memberHome();

    const found = await createMemberFolders({ layout: { ...layout, guildMembers: outside }, onProblem }).scan();

    expect(found).toEqual([]);
  });

  it("shows files without a manifest as a mistake, and the name that was probably meant", async () => {
    const { put, scan } = await givenHome();
    await put("forgotten/server.ts", "");
    await put("misspelt/guild_member.json", manifestText("misspelt"));

    const found = await scan();

    expect(summary(found)).toEqual({
      forgotten: `guild-members/forgotten has no guild-member.json, so nothing says how to start it. Put one into it, or move the folder elsewhere.`,
      misspelt: expect.stringContaining("Rename guild_member.json, if that is meant to be it.") as unknown,
    });
  });

  it("makes each bad manifest one entry with file, line and what to fix, and the others are not affected (REQ-GH1-26)", async () => {
    const { put, scan } = await givenHome();
    await put("good/guild-member.json", manifestText("good"));
    await put("other/guild-member.json", manifestText("another"));
    await put("typos/guild-member.json", manifestText("typos", { transport: "sse", capabilites: [] }));
    await put("torn/guild-member.json", manifestText("torn").slice(0, 50));
    const file = (folder: string) => `guild-members/${folder}/guild-member.json`;

    const found = await scan();

    expect(summary(found)).toEqual({
      good: null,
      other: `${file("other")} line 2: "name" is "another" while the folder is called "other"; give both the same name`,
      torn: expect.stringContaining(`${file("torn")} line 4: this is not JSON: `) as unknown,
      typos: `${file("typos")} has 2 mistakes:\nline 6: "transport" must be "http" or "stdio", not "sse"\nline 13: unknown key "capabilites"; did you mean "capabilities"?`,
    });
    expect(found.find(({ folder }) => folder === "other")).toMatchObject({ manifest: null, name: "other" });
  });

  it.each([
    ["a folder", (path: string) => mkdir(path), "is not a file"],
    ["a pipe that nobody writes to", (path: string) => void execFileSync("mkfifo", [path]), "is not a file"],
    ["a link to a manifest elsewhere (SEC-8)", (path: string) => symlink("/etc/hostname", path), "is a link"],
    ["too large", (path: string) => putFile(path, " ".repeat(300_000)), "has more than 256 KiB"],
    ["not UTF-8", (path: string) => putFile(path, Buffer.from([0x7b, 0xff, 0x7d])), "is not UTF-8 text"],
    ["empty", (path: string) => putFile(path, ""), "line 1: this is not JSON"],
    ["nested without end", (path: string) => putFile(path, `${"[".repeat(50_000)}${"]".repeat(50_000)}`), "is nested too deeply"],
  ])("does not hang or fail on a manifest that is %s", async (_what, make, complaint) => {
    const { layout, scan } = await givenHome();
    const folder = join(layout.guildMembers, "odd");
    await mkdir(folder);
    await make(join(folder, "guild-member.json"));

    const found = await scan();

    expect(theOne(found)?.problem).toContain(`guild-members/odd/guild-member.json ${complaint}`);
  });

  it("does not hang on a manifest that is a socket", async () => {
    const { layout, scan } = await givenHome();
    const folder = join(layout.guildMembers, "s");
    await mkdir(folder);
    const server = createServer();
    await once(server.listen(join(folder, "guild-member.json")), "listening");
    onTestFinished(() => void server.close());

    expect(theOne(await scan())?.problem).toContain("is not a file");
  });

  it("says what this user may not read", async () => {
    const { put, layout } = await givenHome();
    await put("file/guild-member.json", manifestText("file"));
    await put("folder/guild-member.json", manifestText("folder"));
    await chmod(join(layout.guildMembers, "file/guild-member.json"), 0);
    await chmod(join(layout.guildMembers, "folder"), 0);
    await chmod(dirname(layout.home), 0o755);
    onTestFinished(() => chmod(join(layout.guildMembers, "folder"), 0o700));

    // Nothing is closed to root.
    const user = await ordinaryUser();
    const printed = await startProgram(new URL("scan-as-user.testing.ts", import.meta.url), [layout.home], { user }).line();

    expect(JSON.parse(printed)).toEqual([
      `guild-members/file/guild-member.json cannot be read by this user. Run chmod u+r on it.`,
      `guild-members/folder/guild-member.json cannot be read by this user. Run chmod u+r on it.`,
    ]);
  });

  // Only root can give a folder away.
  it.runIf(process.getuid?.() === 0)("starts no program of another user (SEC-16)", async () => {
    const { put, layout, scan } = await givenHome();
    await put("evil/guild-member.json", manifestText("evil"));
    await chown(join(layout.guildMembers, "evil"), 65_534, 65_534);

    expect(summary(await scan())).toEqual({
      evil: "guild-members/evil belongs to another user (65534), whose program would run as you. Make it yours with chown -R.",
    });
  });

  it("takes a link to a folder for the folder, under the link's name (SEC-8)", async () => {
    const { layout, outside, scan } = await givenHome();
    await putFile(join(outside, "mine/guild-member.json"), manifestText("mine"));
    await putFile(join(outside, "named/guild-member.json"), manifestText("named"));
    await putFile(join(outside, "shelf/one/guild-member.json"), manifestText("one"));
    await symlink(join(outside, "mine"), join(layout.guildMembers, "mine"));
    await symlink(join(outside, "named"), join(layout.guildMembers, "called"));
    await symlink(join(outside, "shelf"), join(layout.guildMembers, "shelf"));

    const found = await scan();

    expect(summary(found)).toEqual({
      called: expect.stringContaining('"name" is "named" while the folder is called "called"') as unknown,
      mine: null,
      "shelf/one": null,
    });
  });

  it("follows no link in a circle, back to guild-members, or to nowhere (SEC-8)", async () => {
    const { layout, put, scan } = await givenHome();
    await put("real/guild-member.json", manifestText("real"));
    await put("team/deeper/loop-inside/x.txt", "");
    const link = (target: string, name: string) => symlink(target, join(layout.guildMembers, name));
    await link(".", "self");
    await link("..", "home");
    await link("/", "everything");
    await link("round", "round");
    await link("gone", "nowhere");
    await link("real/guild-member.json", "a-file");
    await link(layout.guildMembers, "team/again");

    const found = await scan();

    const circle = expect.stringContaining("is a link that leads back to guild-members itself") as unknown;
    const nowhere = expect.stringContaining("is a link that leads nowhere") as unknown;
    expect(summary(found)).toEqual({
      everything: circle,
      home: circle,
      nowhere,
      real: null,
      round: nowhere,
      self: circle,
      "team/again": circle,
    });
  });

  it("takes any name a folder can have, and spells out what cannot be seen in it", async () => {
    const { layout, put, scan } = await givenHome();
    const names = [
      "Capital",
      "with space",
      "\u202Egnp.exe",
      "line\nbreak",
      "x".repeat(255),
      "-dash",
      "$(touch oops)",
      "é".normalize("NFD"),
    ];
    for (const name of names) await put(`${name}/guild-member.json`, manifestText("example"));
    await mkdir(Buffer.concat([Buffer.from(`${layout.guildMembers}/`), Buffer.from([0xff, 0xfe])]));

    const found = await scan();

    expect(found.filter(({ problem }) => problem === null)).toEqual([]);
    expect(new Set(found.map(({ folder }) => folder))).toEqual(new Set([...names, "\uFFFD\uFFFD"]));
    const problems = found.map(({ problem }) => problem ?? "").join("");
    expect(problems).toContain("\\u{202e}gnp.exe");
    expect(problems).toContain("line\\u{a}break");
    expect(problems).not.toMatch(/[\u202E\n]/);
  });

  it("finds fifty members, and is the same whatever their order on the disk", async () => {
    const { put, scan } = await givenHome();
    const names = Array.from({ length: 50 }, (_, at) => `member-${at}`);
    await Promise.all(names.map((name) => put(`${name}/guild-member.json`, manifestText(name))));

    const found = await scan();

    expect(found.map(({ folder }) => folder)).toEqual(names.toSorted());
  });
});
