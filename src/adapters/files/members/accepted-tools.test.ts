import { readdir, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { MemberName } from "../../../schema/ids.ts";
import { createDyingDisk, createSmallDisk, PowerCut } from "../failing-disk.testing.ts";
import { failureOf } from "../failure-of.testing.ts";
import { createAcceptedTools } from "./accepted-tools.ts";
import { memberHome, modeOf } from "./member-home.testing.ts";

const writer = MemberName.parse("writer");
const tool = (name: string) => ({
  hash: `hash of ${name}`,
  definition: { name, description: "", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
});

describe("accepted tools", () => {
  it("come back as they were accepted, for this user only (SEC-12, SEC-16)", async () => {
    const { layout } = await memberHome();

    await createAcceptedTools(layout).write(writer, [tool("a"), tool("b")]);

    expect(await createAcceptedTools(layout).read(writer)).toEqual([tool("a"), tool("b")]);
    expect(await modeOf(layout.acceptedToolsOf(writer))).toBe("600");
  });

  it("are null for a member that was never seen, and an empty list for one without tools", async () => {
    const { layout } = await memberHome();
    const accepted = createAcceptedTools(layout);

    const before = await accepted.read(writer);
    await accepted.write(writer, []);

    expect(before).toBeNull();
    expect(await accepted.read(writer)).toEqual([]);
  });

  it("are forgotten with their member, as often as asked", async () => {
    const { layout } = await memberHome();
    const accepted = createAcceptedTools(layout);
    await accepted.write(writer, [tool("a")]);

    await accepted.forget(writer);
    await accepted.forget(writer);

    expect(await accepted.read(writer)).toBeNull();
    expect(await readdir(layout.acceptedTools)).toEqual([]);
  });

  it("of a broken file are refused and never taken for unseen ones (SEC-12)", async () => {
    const { layout } = await memberHome();
    await writeFile(layout.acceptedToolsOf(writer), '{ "version": 1, "tools": [');

    const failure = await failureOf(createAcceptedTools(layout).read(writer));

    expect(failure.code).toBe("file_broken");
    expect(await readFile(layout.acceptedToolsOf(writer), "utf8")).toBe('{ "version": 1, "tools": [');
  });

  it("are the last written of many at once", async () => {
    const { layout } = await memberHome();
    const accepted = createAcceptedTools(layout);

    await Promise.all(Array.from({ length: 20 }, (_, at) => accepted.write(writer, [tool(`t${at}`)])));

    expect(await accepted.read(writer)).toEqual([tool("t19")]);
  });

  it("are the old or the new ones, whenever the power is cut and however full the disk is", async () => {
    const { layout } = await memberHome();
    const accepted = createAcceptedTools(layout);
    await accepted.write(writer, [tool("old")]);

    const full = await failureOf(createAcceptedTools(layout, createSmallDisk(10)).write(writer, [tool("new")]));
    const cut = await createAcceptedTools(layout, createDyingDisk(60))
      .write(writer, [tool("new")])
      .catch((error: unknown) => error);

    expect(full.code).toBe("disk_full");
    expect(cut).toBeInstanceOf(PowerCut);
    expect(await accepted.read(writer)).toEqual([tool("old")]);
  });
});
