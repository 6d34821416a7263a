import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Manifest } from "../../../schema/manifest.ts";
import { createDyingDisk, createSmallDisk, PowerCut } from "../failing-disk.testing.ts";
import { failureOf } from "../failure-of.testing.ts";
import { createMemberFolders } from "./member-folders.ts";
import { contentsOf, followMembers, manifestText, memberHome, modeOf, putFile } from "./member-home.testing.ts";

const manifestOf = (name: string): Manifest => Manifest.parse(JSON.parse(manifestText(name)));

async function givenFolders() {
  const home = await memberHome();
  return { ...home, folders: createMemberFolders(home) };
}

describe("adding a member", () => {
  it("makes its folder with a manifest for this user only, and a scan finds it (SEC-11, SEC-16)", async () => {
    const { folders, layout } = await givenFolders();
    const manifest = manifestOf("writer");

    await folders.add(manifest);

    const [found] = await folders.scan();
    expect(found).toMatchObject({ folder: "writer", origin: "added", manifest, problem: null });
    expect(await modeOf(join(layout.guildMembers, "writer"))).toBe("700");
    expect(await modeOf(join(layout.guildMembers, "writer/guild-member.json"))).toBe("600");
    expect(await readFile(join(layout.guildMembers, "writer/guild-member.json"), "utf8")).toBe(`${JSON.stringify(manifest, null, 2)}\n`);
  });

  it.each([
    ["a member", (path: string) => putFile(join(path, "guild-member.json"), "{}")],
    ["a file", (path: string) => writeFile(path, "mine")],
    ["a link to an empty folder elsewhere", (path: string) => symlink("/var/empty", path)],
    ["a link to nowhere", (path: string) => symlink("nowhere", path)],
  ])("is a conflict where %s has the name, and changes nothing", async (_what, make) => {
    const { folders, layout } = await givenFolders();
    await make(layout.guildMember(manifestOf("writer").name));
    const before = await readdir(layout.guildMembers, { recursive: true });

    const failure = await failureOf(folders.add(manifestOf("writer")));

    expect(failure.code).toBe("conflict");
    expect(await readdir(layout.guildMembers, { recursive: true })).toEqual(before);
  });

  it("takes an empty folder's place", async () => {
    const { folders, layout } = await givenFolders();
    await mkdir(layout.guildMember(manifestOf("writer").name));

    await folders.add(manifestOf("writer"));

    expect(await folders.scan()).toMatchObject([{ folder: "writer", problem: null }]);
  });

  it("happens once where two people do it at the same time", async () => {
    const { folders } = await givenFolders();

    const outcomes = await Promise.allSettled([folders.add(manifestOf("writer")), folders.add(manifestOf("writer"))]);

    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await folders.scan()).toMatchObject([{ folder: "writer", problem: null }]);
  });

  it("leaves nothing behind on a full disk", async () => {
    const { layout, onProblem } = await memberHome();

    const failure = await failureOf(createMemberFolders({ layout, onProblem, disk: createSmallDisk(20) }).add(manifestOf("writer")));

    expect(failure.code).toBe("disk_full");
    expect(await readdir(layout.guildMembers)).toEqual([]);
  });

  it("is whole or not there, whenever the power is cut", async () => {
    const { layout, onProblem } = await memberHome();
    const intact = createMemberFolders({ layout, onProblem });
    let isDone = false;

    for (let units = 0; !isDone; units += 7) {
      const dying = createMemberFolders({ layout, onProblem, disk: createDyingDisk(units) });
      isDone = await dying.add(manifestOf("writer")).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof PowerCut)) throw error;
          return false;
        },
      );

      const found = await intact.scan();

      expect(found.map(({ problem }) => problem)).toEqual(found.map(() => null));
      await rm(layout.guildMember(manifestOf("writer").name), { recursive: true, force: true });
    }
  });
});

describe("removing a member", () => {
  it("moves its folder with all its work to removed-members", async () => {
    const { folders, layout, put } = await givenFolders();
    await put("writer/guild-member.json", manifestText("writer"));
    await put("writer/jobs/1/result.md", "work");

    const { movedTo } = await folders.remove("writer", "writer");

    expect(movedTo).toMatch(/removed-members\/writer-\d{4}-\d\d-\d\dT[\d-]+Z$/);
    expect(await contentsOf(movedTo)).toEqual({ "guild-member.json": manifestText("writer"), "jobs/1/result.md": "work" });
    expect(await readdir(layout.guildMembers)).toEqual([]);
    expect(await modeOf(layout.removedMembers)).toBe("700");
  });

  it("moves its home too, so that the next of its name does not find it", async () => {
    const { folders, layout, put } = await givenFolders();
    await put("tools/scribe/guild-member.json", manifestText("writer"));
    const home = layout.memberHome(manifestOf("writer").name);
    await putFile(join(home, "secret"), "mine");

    const { movedTo } = await folders.remove("tools/scribe", "writer");

    expect(await readdir(dirname(home))).toEqual([]);
    expect(await contentsOf(`${movedTo}-home`)).toEqual({ secret: "mine" });
  });

  it("leaves its home where it is when its folder cannot be moved", async () => {
    const { folders, layout } = await givenFolders();
    const home = layout.memberHome(manifestOf("writer").name);
    await putFile(join(home, "secret"), "mine");

    const failure = await failureOf(folders.remove("writer", "writer"));

    expect(failure.code).toBe("not_found");
    expect(await contentsOf(home)).toEqual({ secret: "mine" });
  });

  it("gives every removed folder a name of its own, out of collections too", async () => {
    const { folders, layout, put } = await givenFolders();
    const places = ["writer", "a/writer", "b/writer"];
    for (const folder of places) await put(`${folder}/guild-member.json`, manifestText("writer"));

    const removed = await Promise.all(places.map((folder) => folders.remove(folder, "writer")));

    expect(new Set(removed.map(({ movedTo }) => movedTo)).size).toBe(3);
    expect(await readdir(layout.removedMembers)).toHaveLength(3);
  });

  it("takes away a link and not what it leads to", async () => {
    const { folders, layout, outside } = await givenFolders();
    await putFile(join(outside, "mine/guild-member.json"), manifestText("mine"));
    await symlink(join(outside, "mine"), join(layout.guildMembers, "mine"));

    await folders.remove("mine", "mine");

    expect(await contentsOf(outside)).toEqual({ "mine/guild-member.json": manifestText("mine") });
    expect(await readdir(layout.guildMembers)).toEqual([]);
  });

  it.each(["..", ".", "", "../state", "a/../..", "a/b/c", "/etc", "a//b", "wri\0ter", ".hidden"])(
    "refuses %j, which is not a member's folder (SEC-8)",
    async (folder) => {
      const { folders, layout } = await givenFolders();
      const before = await readdir(layout.home, { recursive: true });

      const failure = await failureOf(folders.remove(folder, "writer"));

      expect(failure.code).toBe("bad_request");
      expect(await readdir(layout.home, { recursive: true })).toEqual(before);
    },
  );

  it("says that it is gone already, and takes the longest name", async () => {
    const { folders, put } = await givenFolders();
    const long = "é".repeat(127);
    await put(`${long}/guild-member.json`, "{}");

    const failure = await failureOf(folders.remove("nobody", "nobody"));
    const { movedTo } = await folders.remove(long, long);

    expect(failure.code).toBe("not_found");
    expect(movedTo).toContain("removed-members/é");
  });
});

describe("watching guild-members", () => {
  /** Unless a test is about it, looking now and then comes too late to help. */
  async function givenWatch(pollMs = 3_600_000) {
    const home = await memberHome();
    await home.put("writer/guild-member.json", manifestText("writer"));
    await home.put("team/editor/guild-member.json", manifestText("editor"));
    const folders = createMemberFolders({ ...home, pollMs });
    const until = await followMembers(folders, ({ folder, manifest }) => `${folder} ${manifest?.version ?? "broken"}`);
    return { ...home, until };
  }

  const replace = async (path: string, content: string): Promise<void> => {
    await writeFile(`${path}.swp`, content);
    await rename(`${path}.swp`, path);
  };

  it("tells of what comes, changes and goes, without a restart (REQ-GH1-5)", async () => {
    const { put, layout, until } = await givenWatch();

    await put("new/guild-member.json", manifestText("new"));
    await until((found) => found.includes("new 0.1.0"));
    await put("new/guild-member.json", manifestText("new", { version: "0.2.0" }));
    await until((found) => found.includes("new 0.2.0"));
    await replace(join(layout.guildMembers, "new/guild-member.json"), manifestText("new", { version: "0.3.0" }));
    await until((found) => found.includes("new 0.3.0"));
    await rm(join(layout.guildMembers, "new"), { recursive: true });

    expect(await until((found) => found.length === 2)).toEqual(["team/editor 0.1.0", "writer 0.1.0"]);
  });

  it("tells of collections too, and of a member that is put in another's place", async () => {
    const { put, layout, outside, until } = await givenWatch();

    await put("team/reviewer/guild-member.json", manifestText("reviewer"));
    await until((found) => found.includes("team/reviewer 0.1.0"));
    await putFile(join(outside, "guild-member.json"), manifestText("writer", { version: "0.9.0" }));
    await rename(join(layout.guildMembers, "writer"), join(layout.home, "away"));
    await rename(outside, join(layout.guildMembers, "writer"));
    await until((found) => found.includes("writer 0.9.0"));
    // A look that was due anyway may find the first of these.
    for (const version of ["1", "2", "3"]) {
      await put("writer/guild-member.json", manifestText("writer", { version }));
      await until((found) => found.includes(`writer ${version}`));
    }
    await put("writer/guild-member.json", "{");

    expect(await until((found) => found.includes("writer broken"))).toHaveLength(3);
  });

  it("tells of a manifest that comes after its folder", async () => {
    const { put, until } = await givenWatch();

    await put("slow/server.ts", "");
    await until((found) => found.includes("slow broken"));
    await put("slow/guild-member.json", manifestText("slow"));

    expect(await until((found) => found.includes("slow 0.1.0"))).toHaveLength(3);
  });

  it("finds what no watch can see by looking now and then", async () => {
    const { layout, outside, until } = await givenWatch(20);
    await putFile(join(outside, "guild-member.json"), manifestText("linked"));
    await symlink(outside, join(layout.guildMembers, "linked"));
    await until((found) => found.includes("linked 0.1.0"));

    // The folder the link leads to is another one now, which nothing in guild-members tells.
    await rename(outside, `${outside}-before`);
    await putFile(join(outside, "guild-member.json"), manifestText("linked", { version: "0.2.0" }));

    expect(await until((found) => found.includes("linked 0.2.0"))).toHaveLength(3);
  });
});

describe("a first scan that fails", () => {
  it("is made up for as soon as the folders can be read", async () => {
    const { layout, onProblem } = await memberHome();
    await rm(layout.guildMembers, { recursive: true });
    await writeFile(layout.guildMembers, "in the way");
    const folders = createMemberFolders({ layout, onProblem, pollMs: 20 });
    expect((await failureOf(folders.scan())).message).toContain(layout.guildMembers);

    const told = new Promise<void>((resolve) => onTestFinished(folders.watch(resolve)));
    await rm(layout.guildMembers);
    await putFile(join(layout.guildMembers, "writer/guild-member.json"), manifestText("writer"));
    await told;

    expect(await folders.scan()).toMatchObject([{ folder: "writer", problem: null }]);
  });
});
