import { mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Disk } from "../disk.ts";
import { createDyingDisk, createSmallDisk, PowerCut } from "../failing-disk.testing.ts";
import { installBundledMembers } from "./bundled-members.ts";
import { createMemberFolders } from "./member-folders.ts";
import { contentsOf, followMembers, manifestText, memberHome, modeOf, putFile } from "./member-home.testing.ts";

const first = { "guild-member.json": manifestText("example"), "server.ts": "first", "lib/old.ts": "old", "lib/same.ts": "same" };
const second = {
  "guild-member.json": manifestText("example", { version: "0.2.0" }),
  "server.ts": "second",
  "lib/same.ts": "same",
  "lib/deep/new.ts": "new",
};

/** A project that brings one member, and a home for it. */
async function givenHall() {
  const home = await memberHome();
  const project = join(home.outside, "project");
  const copy = join(home.layout.guildMembers, "example");
  await putFile(join(project, "package.json"), "{}");
  await mkdir(join(project, "node_modules"));
  const ship = async (files: Record<string, string>): Promise<void> => {
    await rm(join(project, "guild-members"), { recursive: true, force: true });
    for (const [path, content] of Object.entries(files)) await putFile(join(project, "guild-members/example", path), content);
  };
  await ship(first);
  const folders = createMemberFolders(home);
  return {
    ...home,
    project,
    copy,
    folders,
    ship,
    start: (disk?: Disk) => installBundledMembers({ ...home, project, ...(disk === undefined ? {} : { disk }) }),
    scan: async () =>
      (await folders.scan()).map(({ folder, origin, note, manifest }) => ({ folder, origin, note, version: manifest?.version })),
  };
}

const bundled = (version: string) => [{ folder: "example", origin: "bundled", note: undefined, version }];
const edited = (note: string, version = "0.1.0") => [{ folder: "example", origin: "edited", note, version }];

describe("a bundled member", () => {
  it("is copied at the first start, for this user only, and nothing happens at the next (SEC-16)", async () => {
    const { start, scan, copy, layout, problems } = await givenHall();

    await start();
    const stamp = await readFile(layout.bundledMembers, "utf8");
    await start();

    expect(await contentsOf(copy)).toEqual(first);
    expect(await scan()).toEqual(bundled("0.1.0"));
    expect(await readFile(layout.bundledMembers, "utf8")).toBe(stamp);
    expect([await modeOf(copy), await modeOf(join(copy, "lib")), await modeOf(join(copy, "server.ts"))]).toEqual(["700", "700", "600"]);
    expect(problems).toEqual([]);
  });

  it("brings neither work, packages nor hidden files along", async () => {
    const { start, copy, ship } = await givenHall();
    await ship({ ...first, "jobs/1/result.md": "x", "memory/x.md": "x", "node_modules/pkg/index.js": "x", ".env": "x" });

    await start();

    expect(await contentsOf(copy)).toEqual(first);
  });

  it("that nobody touched is upgraded, and its work stays", async () => {
    const { start, scan, copy, ship } = await givenHall();
    await start();
    const work = { "jobs/1/status.json": "{}", "memory/facts.md": "fact", "node_modules/own/index.js": "1", ".env": "KEY=1" };
    for (const [path, content] of Object.entries(work)) await putFile(join(copy, path), content);
    await ship(second);

    await start();

    expect(await contentsOf(copy)).toEqual({ ...second, ...work });
    expect(await scan()).toEqual(bundled("0.2.0"));
  });

  it.each([
    ["a file was changed", (copy: string) => writeFile(join(copy, "server.ts"), "mine")],
    ["a file was deleted", (copy: string) => rm(join(copy, "lib/old.ts"))],
    ["a file was added", (copy: string) => putFile(join(copy, "lib/mine.ts"), "mine")],
    ["a file became a folder", (copy: string) => rm(join(copy, "server.ts")).then(() => putFile(join(copy, "server.ts/x"), ""))],
  ])("in which %s is kept as it is, and says so", async (_what, edit) => {
    const { start, scan, copy, ship } = await givenHall();
    await start();
    await edit(copy);
    const before = await contentsOf(copy);

    const beforeUpgrade = await scan();
    await ship(second);
    await start();

    expect(beforeUpgrade).toEqual(edited("Edited here, so it is not upgraded."));
    expect(await scan()).toEqual(edited("Edited here, so not upgraded to 0.2.0."));
    expect(await contentsOf(copy)).toEqual(before);
  });

  it("is an edited one from the moment somebody edits it, also while the hall runs", async () => {
    const home = await givenHall();
    await home.start();
    const until = await followMembers(createMemberFolders({ ...home, pollMs: 3_600_000 }), ({ origin }) => origin);

    // A look that was due anyway may find the first of these.
    for (const [content, origin] of [
      ["mine", "edited"],
      ["first", "bundled"],
      ["mine", "edited"],
      ["first", "bundled"],
    ] as const) {
      await writeFile(join(home.copy, "server.ts"), content);

      expect(await until(([known]) => known === origin)).toEqual([origin]);
    }
  });

  it.each(["../../config.yaml", "/etc/hosts", "lib/../../x", "jobs/1/result.md", "memory", ".env", "a//b", "a\\b"])(
    "is not upgraded by a stamp that names %s, so nothing else is ever removed (SEC-8)",
    async (path) => {
      const { start, ship, layout, copy, problems } = await givenHall();
      await start();
      await writeFile(layout.config, "port: 1\n");
      await putFile(join(copy, "jobs/1/result.md"), "work");
      const text = await readFile(layout.bundledMembers, "utf8");
      await writeFile(layout.bundledMembers, text.replace('"files": {', `"files": { ${JSON.stringify(path)}: [null],`));
      await ship(second);

      await start();

      expect(await contentsOf(copy)).toEqual({ ...first, "jobs/1/result.md": "work" });
      expect(await readFile(layout.config, "utf8")).toBe("port: 1\n");
      expect(problems.map(String).join()).toContain("bundled-members.json is broken");
    },
  );

  it("whose edits were taken back is upgraded again", async () => {
    const { start, scan, copy, ship } = await givenHall();
    await start();
    await writeFile(join(copy, "server.ts"), "mine");
    await ship(second);
    await start();
    await writeFile(join(copy, "server.ts"), "first");

    await start();

    expect(await scan()).toEqual(bundled("0.2.0"));
  });

  it.each([
    ["a file that is a link", "server.ts", "victim.txt"],
    ["a folder that is a link", "lib", "victim"],
  ])("with %s to elsewhere is not written through (SEC-8)", async (_what, inside, target) => {
    const { start, scan, copy, ship, outside } = await givenHall();
    await start();
    await putFile(join(outside, "victim.txt"), "first");
    await putFile(join(outside, "victim/old.ts"), "old");
    await putFile(join(outside, "victim/same.ts"), "same");
    await rm(join(copy, inside), { recursive: true });
    await symlink(join(outside, target), join(copy, inside));
    await ship(second);

    await start();

    expect(await scan()).toEqual(edited("Edited here, so not upgraded to 0.2.0."));
    expect(await readFile(join(outside, "victim.txt"), "utf8")).toBe("first");
    expect(await contentsOf(join(outside, "victim"))).toEqual({ "old.ts": "old", "same.ts": "same" });
  });

  it("whose folder is a link to elsewhere is a person's (SEC-8)", async () => {
    const { start, scan, copy, ship, outside } = await givenHall();
    await start();
    await rename(copy, join(outside, "moved"));
    await symlink(join(outside, "moved"), copy);
    await ship(second);

    await start();

    expect(await contentsOf(join(outside, "moved"))).toEqual(first);
    expect(await scan()).toMatchObject([{ origin: "added" }]);
  });

  it.each([
    ["by the hall", async ({ folders }: Hall) => void (await folders.remove("example"))],
    ["by hand", ({ copy }: Hall) => rm(copy, { recursive: true })],
  ])("that was removed %s does not come back, until its stamp is deleted", async (_how, remove) => {
    const hall = await givenHall();
    const { start, scan, layout, ship } = hall;
    await start();
    await remove(hall);

    await start();
    await ship(second);
    await start();
    const whileRemoved = await scan();
    await rm(layout.bundledMembers);
    await start();

    expect(whileRemoved).toEqual([]);
    expect(await scan()).toEqual(bundled("0.2.0"));
  });

  it("that was removed and put back is the hall's again; another under its name is a person's", async () => {
    const { start, scan, copy, folders, put } = await givenHall();
    await start();
    const { movedTo } = await folders.remove("example");

    await put("example/guild-member.json", manifestText("example", { version: "7" }));
    await start();
    const anothers = await scan();
    await rm(copy, { recursive: true });
    await rename(movedTo, copy);
    await start();

    expect(anothers).toEqual([{ folder: "example", origin: "added", note: undefined, version: "7" }]);
    expect(await scan()).toEqual(bundled("0.1.0"));
  });

  it("gives way to a member of that name that a person already had", async () => {
    const { start, scan, put, copy } = await givenHall();
    await put("example/guild-member.json", manifestText("example", { version: "7" }));

    await start();

    expect(await contentsOf(copy)).toEqual({ "guild-member.json": manifestText("example", { version: "7" }) });
    expect(await scan()).toMatchObject([{ origin: "added" }]);
  });

  it("is known again where its stamp was lost and the copy is as shipped", async () => {
    const { start, scan, layout, ship } = await givenHall();
    await start();
    await rm(layout.bundledMembers);

    await start();
    await ship(second);
    await start();

    expect(await scan()).toEqual(bundled("0.2.0"));
  });

  it("is left alone while its stamps are broken, which is reported; the members are there all the same", async () => {
    const { start, scan, layout, copy, ship, problems } = await givenHall();
    await start();
    await writeFile(layout.bundledMembers, '{ "version": 1, "mem');
    await ship(second);

    await start();

    expect(await contentsOf(copy)).toEqual(first);
    expect(await scan()).toMatchObject([{ origin: "added", version: "0.1.0" }]);
    expect(await readFile(layout.bundledMembers, "utf8")).toBe('{ "version": 1, "mem');
    expect(problems.map(String).join()).toContain("bundled-members.json is broken");
  });

  it("that cannot be copied on a full disk leaves nothing, is reported, and comes when there is room", async () => {
    const { start, scan, layout, problems } = await givenHall();

    await start(createSmallDisk(100));
    const whenFull = await readdir(layout.guildMembers);
    await start();

    expect(whenFull).toEqual([]);
    expect(problems).toMatchObject([{ code: "disk_full" }]);
    expect(await scan()).toEqual(bundled("0.1.0"));
  });

  it("stays whole in its old version where the disk is too full for the new one", async () => {
    const { start, scan, ship, copy, problems } = await givenHall();
    await start();
    await ship(second);

    for (let bytes = 0; bytes < 400; bytes += 50) await start(createSmallDisk(bytes));

    expect(await contentsOf(copy)).toEqual(first);
    expect(await scan()).toEqual(bundled("0.1.0"));
    expect(problems).toHaveLength(8);
  });

  it("is upgraded in the end, with its work, whenever the power is cut in between", async () => {
    const { start, ship, scan, copy, project, layout } = await givenHall();
    const third = { ...second, "server.ts": "third", "guild-member.json": manifestText("example", { version: "0.3.0" }) };
    let cuts = 0;

    for (let units = 0, isDone = false; !isDone; units += 1) {
      await rm(layout.guildMembers, { recursive: true });
      await rm(layout.bundledMembers, { force: true });
      await mkdir(layout.guildMembers);
      await ship(first);
      await start();
      await putFile(join(copy, "memory/facts.md"), "fact");
      await ship(second);
      const failures: unknown[] = [];
      await installBundledMembers({
        layout,
        project,
        disk: createDyingDisk(units, { wholeWrites: true }),
        onProblem: (error) => void failures.push(error),
      });
      isDone = failures.length === 0;
      cuts += failures.filter((error) => error instanceof PowerCut).length;
      const between = await contentsOf(copy);
      // Sometimes the hall is not started again before it is replaced by a yet newer one.
      const last = units % 2 === 0 ? second : third;
      await ship(last);

      await start();

      expect(await contentsOf(copy)).toEqual({ ...last, "memory/facts.md": "fact" });
      expect(await scan()).toEqual(bundled(last === second ? "0.2.0" : "0.3.0"));
      for (const [path, content] of Object.entries(between)) {
        const versions: Record<string, string>[] = [first, second, { "memory/facts.md": "fact" }];
        expect(versions.map((files) => files[path])).toContain(content);
      }
    }

    expect(cuts).toBeGreaterThan(30);
  });

  it("that a crash left half copied is swept away", async () => {
    const { start, layout, put } = await givenHall();
    await put(".new-example.tmp/server.ts", "half");
    await put(".mine/notes.txt", "mine");

    await start();

    expect((await readdir(layout.guildMembers)).toSorted()).toEqual([".mine", "example"]);
  });

  it("with a broken manifest of its own is reported, and the packages are linked all the same", async () => {
    const { start, ship, layout, project, problems } = await givenHall();
    await ship({ "guild-member.json": "{" });
    await putFile(join(project, "package.json"), '{ "dependencies": { "pkg": "1.0.0" } }');
    await mkdir(join(project, "node_modules/pkg"), { recursive: true });

    await start();

    expect(problems).toMatchObject([{ code: "internal" }]);
    expect(await readlink(layout.nodeModules)).toBe(join(project, "node_modules"));
  });

  it("is not needed: a hall that brings none starts too", async () => {
    const { start, project, problems } = await givenHall();
    await rm(join(project, "guild-members"), { recursive: true });

    await start();

    expect(problems).toEqual([]);
  });
});

type Hall = Awaited<ReturnType<typeof givenHall>>;
