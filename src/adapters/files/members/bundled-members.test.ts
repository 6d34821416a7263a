import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundled, edited, first, givenHall, second } from "./bundled-hall.testing.ts";
import { createMemberFolders } from "./member-folders.ts";
import { contentsOf, followMembers, manifestText, modeOf, putFile } from "./member-home.testing.ts";

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
    ["by the hall", async ({ folders }: Hall) => void (await folders.remove("example", "example"))],
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
    const { movedTo } = await folders.remove("example", "example");

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

  it("is not needed: a hall that brings none starts too", async () => {
    const { start, project, problems } = await givenHall();
    await rm(join(project, "guild-members"), { recursive: true });

    await start();

    expect(problems).toEqual([]);
  });
});

type Hall = Awaited<ReturnType<typeof givenHall>>;
