import { chmod, chown, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ordinaryUser } from "../../../test/ordinary-user.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { startProgram } from "./child-program.testing.ts";
import { createSmallDisk } from "./failing-disk.testing.ts";
import { failureOf } from "./failure-of.testing.ts";
import { readHallAddress } from "./home-lock.ts";
import { openHome } from "./home.ts";

const homeHolder = new URL("./home-holder.testing.ts", import.meta.url);
/** Whoever runs the tests, unless that is root, who may do everything. */
const opening = { address: "http://127.0.0.1:4870", version: "0.1.0" };

/** Only root can give a folder away; for others, the root folder belongs to another user. */
async function foreignFolder(): Promise<{ folder: string; owner: number }> {
  if (process.getuid?.() !== 0) return { folder: "/", owner: 0 };
  const folder = await temporaryFolder();
  await chown(folder, 65_534, 65_534);
  return { folder, owner: 65_534 };
}

describe("opening a home", () => {
  it("makes everything on an empty machine, for this user only (SEC-16)", async () => {
    const home = join(await temporaryFolder(), "not", "there", "yet");

    const { layout, release } = await openHome(home, opening);

    const folders = [home, layout.sessions, layout.state, layout.claude.home, layout.claude.config, layout.claude.temporary, layout.logs];
    const modes = await Promise.all(folders.map(async (folder) => (await stat(folder)).mode & 0o777));
    expect(new Set(modes)).toEqual(new Set([0o700]));
    expect((await stat(layout.version)).mode & 0o777).toBe(0o600);
    expect(await readFile(layout.version, "utf8")).toBe("1\n");
    await release();
  });

  it("closes a home that others can look into (SEC-16)", async () => {
    const home = await temporaryFolder();
    await chmod(home, 0o755);

    const { release } = await openHome(home, opening);

    expect((await stat(home)).mode & 0o777).toBe(0o700);
    await release();
  });

  it("refuses one of another user, to root too, and changes nothing (SEC-16)", async () => {
    const { folder, owner } = await foreignFolder();
    const before = await stat(folder);

    const failure = await failureOf(openHome(folder, opening));

    expect(failure.code).toBe("home_unusable");
    expect(failure.message).toContain(`${folder} belongs to another user (${owner}), and this hall runs as user ${process.getuid?.()}.`);
    expect((await stat(folder)).mode).toBe(before.mode);
  });

  it("refuses one whose programs are in a folder of another user (SEC-16)", async () => {
    const home = await temporaryFolder();
    const { folder, owner } = await foreignFolder();
    await symlink(folder, join(home, "guild-members"));

    const failure = await failureOf(openHome(home, opening));

    expect(failure.code).toBe("home_unusable");
    expect(failure.message).toContain(`${home}/guild-members belongs to another user (${owner})`);
    expect(await readdir(home)).toEqual(["guild-members"]);
  });

  // Only root can give a folder away.
  it.runIf(process.getuid?.() === 0)("refuses one below a folder of another user, who could swap it (SEC-16)", async () => {
    const { folder, owner } = await foreignFolder();
    const home = join(folder, "mine", "home");

    const failure = await failureOf(openHome(home, opening));

    expect(failure.code).toBe("home_unusable");
    expect(failure.message).toBe(
      `${folder} belongs to another user (${owner}), who could put another folder in the place of ${home}. Choose another with --home.`,
    );
  });

  it("again finds what was there, and sweeps what a crash left half written", async () => {
    const home = await temporaryFolder();
    const first = await openHome(home, opening);
    await first.release();
    await writeFile(join(home, ".version.4194305-zz-zz.tmp"), "half");
    await writeFile(join(home, "config.yaml"), "port: 1\n");

    const { release } = await openHome(home, opening);

    expect(await readFile(join(home, "config.yaml"), "utf8")).toBe("port: 1\n");
    expect(await readdir(home)).not.toContain(".version.4194305-zz-zz.tmp");
    await release();
  });

  it("refuses a home of a newer version in words and changes nothing", async () => {
    const home = await temporaryFolder();
    await writeFile(join(home, "version"), "99\n");

    const failure = await failureOf(openHome(home, opening));

    expect(failure.code).toBe("home_newer");
    expect(failure.message).toContain("format 99; this one knows up to 1");
    expect(await readFile(join(home, "version"), "utf8")).toBe("99\n");
    expect(await readdir(home)).toEqual(["version"]);
    expect(await readHallAddress(home)).toBeNull();
  });

  it("refuses a version file that holds no number, and leaves it", async () => {
    const home = await temporaryFolder();
    await writeFile(join(home, "version"), "");

    const failure = await failureOf(openHome(home, opening));

    expect(failure.code).toBe("file_broken");
    expect(await readFile(join(home, "version"), "utf8")).toBe("");
  });

  it("refuses a file, a folder of other things, and what is below a file, each in a sentence", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "file"), "");
    await mkdir(join(folder, "mine", "photos"), { recursive: true, mode: 0o755 });

    const failures = await Promise.all(["file", "mine", "file/home"].map((name) => failureOf(openHome(join(folder, name), opening))));

    expect(failures.map(({ code }) => code)).toEqual(["home_unusable", "home_unusable", "home_unusable"]);
    expect(failures[1]?.message).toContain("it holds other things (photos)");
    expect(await readdir(join(folder, "mine"))).toEqual(["photos"]);
  });

  it("takes a folder that somebody prepared with settings and members", async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, "guild-members"));
    await writeFile(join(home, "config.yaml"), "");

    const { release } = await openHome(home, opening);

    expect(await readFile(join(home, "version"), "utf8")).toBe("1\n");
    await release();
  });

  it("says that the disk is full, and lets go of the home", async () => {
    const home = await temporaryFolder();

    const failure = await failureOf(openHome(home, { ...opening, disk: createSmallDisk(10) }));
    const { release } = await openHome(home, opening);

    expect(failure.code).toBe("disk_full");
    await release();
  });

  it("works in a folder whose name is full of surprises", async () => {
    const home = join(await temporaryFolder(), "my hall? #1 %20 ü 'x\" file:");

    const { layout, release } = await openHome(home, opening);

    expect(await readHallAddress(home)).toEqual({ pid: process.pid, address: opening.address, isOfThisPlace: true });
    expect(await readdir(layout.state)).toContain("hall.lock");
    await release();
  });

  it("works for an ordinary user", async () => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o777);

    const child = startProgram(homeHolder, [join(folder, "home")], { user: await ordinaryUser() });

    expect(await child.line()).toBe("held");
  });

  it("says that this user may not write there", async () => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o555);

    const child = startProgram(homeHolder, [join(folder, "home")], { user: await ordinaryUser() });

    expect(await child.line()).toContain(`home_unusable: ${join(folder, "home")} cannot be used: this user is not allowed to.`);
    await chmod(folder, 0o755);
  });
});

describe("one hall per home", () => {
  it("is refused to a second hall with the process and the address of the first", async () => {
    const home = await temporaryFolder();
    const first = startProgram(homeHolder, [home, "http://127.0.0.1:1234"]);
    expect(await first.line()).toBe("held");

    const failure = await failureOf(openHome(home, opening));

    expect(failure.code).toBe("home_in_use");
    expect(failure.message).toContain(`process ${first.pid}, at http://127.0.0.1:1234`);
    expect(await readHallAddress(home)).toEqual({ pid: first.pid, address: "http://127.0.0.1:1234", isOfThisPlace: true });
  });

  it("is refused within one process too", async () => {
    const home = await temporaryFolder();
    const { release } = await openHome(home, opening);

    const failure = await failureOf(openHome(home, opening));

    expect(failure.message).toContain(`process ${process.pid}, at ${opening.address}`);
    await release();
  });

  it("goes to exactly one of many that start at the same instant, and again when that one is killed", async () => {
    const home = await temporaryFolder();

    for (let round = 0; round < 2; round += 1) {
      const halls = Array.from({ length: 4 }, () => startProgram(homeHolder, [home, "http://127.0.0.1:1"]));
      const said = await Promise.all(halls.map((hall) => hall.line()));
      const winner = halls[said.indexOf("held")];

      expect(said.filter((line) => line === "held")).toHaveLength(1);
      expect(said.filter((line) => line.startsWith(`home_in_use: `) && line.includes(`process ${winner?.pid},`))).toHaveLength(3);

      await winner?.kill();
    }
  });

  it("is free at once when the holder was killed with -9, and its address is gone", async () => {
    const home = await temporaryFolder();
    const first = startProgram(homeHolder, [home, "http://127.0.0.1:1234"]);
    await first.line();

    await first.kill();

    expect(await readHallAddress(home)).toBeNull();
    const { release } = await openHome(home, opening);
    expect(await readHallAddress(home)).toEqual({ pid: process.pid, address: opening.address, isOfThisPlace: true });
    await release();
  });

  it("stays taken while the holder is only stopped", async () => {
    const home = await temporaryFolder();
    const first = startProgram(homeHolder, [home, "http://127.0.0.1:1234"]);
    await first.line();

    first.pause();

    expect((await failureOf(openHome(home, opening))).message).toContain(`process ${first.pid}`);
  });

  it("stays taken although somebody deleted the lock file", async () => {
    const home = await temporaryFolder();
    const first = startProgram(homeHolder, [home, "http://127.0.0.1:1234"]);
    await first.line();

    await rm(join(home, "state", "hall.lock"));

    expect((await failureOf(openHome(home, opening))).message).toContain(`process ${first.pid}`);
  });

  it.each([
    ["is broken", "{"],
    ["a later version left", '{ "version": 99 }'],
  ])("does not depend on what a record says that %s", async (_what, record) => {
    const home = await temporaryFolder();
    await mkdir(join(home, "state"));
    await writeFile(join(home, "state", "hall.json"), record);

    expect(await readHallAddress(home)).toBeNull();
    const { release } = await openHome(home, opening);
    expect((await readHallAddress(home))?.pid).toBe(process.pid);
    await release();
  });

  it("ends with an orderly release, which may be asked for twice", async () => {
    const home = await temporaryFolder();
    const { announce, release } = await openHome(home, { ...opening, address: null });
    expect(await readHallAddress(home)).toEqual({ pid: process.pid, address: null, isOfThisPlace: true });
    await announce("http://127.0.0.1:5");
    expect(await readHallAddress(home)).toEqual({ pid: process.pid, address: "http://127.0.0.1:5", isOfThisPlace: true });

    await Promise.all([release(), release()]);

    expect(await readHallAddress(home)).toBeNull();
    const child = startProgram(homeHolder, [home]);
    expect(await child.line()).toBe("held");
    await child.end();
    expect(await readHallAddress(home)).toBeNull();
  });
});
