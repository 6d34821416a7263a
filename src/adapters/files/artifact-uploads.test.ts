import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { ArtifactPath, maxArtifactBytes } from "../../schema/artifact.ts";
import { newSessionId, newUploadId } from "../../schema/ids.ts";
import type { SessionId, UploadId } from "../../schema/ids.ts";
import { failureOf } from "./failure-of.testing.ts";
import { createLayout } from "./layout.ts";
import { createArtifactFiles } from "./session-artifacts.ts";

async function openSession() {
  const top = await temporaryFolder();
  const layout = createLayout(join(top, "home"));
  const id = newSessionId();
  const root = layout.session(id).artifacts;
  await mkdir(root, { recursive: true });
  let time = 0;
  const files = createArtifactFiles(layout, () => time);
  const send = (path: string, data: string | Uint8Array, more: { upload?: UploadId; offset?: number; done?: boolean } = {}) =>
    files.receive(id, {
      path: ArtifactPath.parse(path),
      upload: more.upload,
      offset: more.offset ?? 0,
      data: Buffer.from(data),
      done: more.done ?? true,
    });
  const pass = (ms: number): void => void (time += ms);
  return { top, layout, id, root, files, send, pass };
}

describe("a file that is sent to a session", () => {
  it("appears when its last piece has come, whole, and not before", async () => {
    const { layout, root, send } = await openSession();

    const first = await send("data/report.csv", "one,", { done: false });
    const before = await readdir(root);
    const last = await send("data/report.csv", "two", { upload: first.upload, offset: 4 });

    expect([first.received, first.artifact, before]).toEqual([4, null, []]);
    expect(last).toMatchObject({ received: 7, artifact: { path: "data/report.csv", size: 7, mimeType: "text/csv" } });
    expect(await readFile(join(root, "data/report.csv"), "utf8")).toBe("one,two");
    expect((await stat(join(root, "data/report.csv"))).mode & 0o777).toBe(0o600);
    expect(await readdir(layout.uploads)).toEqual([]);
  });

  it("never takes the place of another: its name gets a number", async () => {
    const { root, send } = await openSession();

    const names = [];
    for (const text of ["a", "b", "c"]) names.push((await send("x/report.pdf", text)).artifact?.path);
    for (const text of ["d", "e"]) names.push((await send("x/.env", text)).artifact?.path);

    expect(names).toEqual(["x/report.pdf", "x/report (2).pdf", "x/report (3).pdf", "x/.env", "x/.env (2)"]);
    expect(await readFile(join(root, "x/report.pdf"), "utf8")).toBe("a");
  });

  it("may be sent at the same time as others of its name, and none is lost", async () => {
    const { root, send } = await openSession();

    const sent = await Promise.all(["a", "b", "c", "d"].map((text) => send("same.txt", text)));

    const texts = await Promise.all(sent.map(({ artifact }) => readFile(join(root, artifact?.path ?? ""), "utf8")));
    expect(texts).toEqual(["a", "b", "c", "d"]);
  });

  it("is the same in whatever pieces it comes, and whichever of them come twice", async () => {
    const { root, send } = await openSession();
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 64 }),
        fc.integer({ min: 1, max: 16 }),
        fc.boolean(),
        async (bytes, size, twice) => {
          let upload: UploadId | undefined;
          let name = "";
          for (let offset = 0; offset < bytes.length; offset += size) {
            const piece = bytes.subarray(offset, offset + size);
            const more = { offset, ...(upload === undefined ? {} : { upload }) };
            if (twice && upload !== undefined) await send("any.bin", piece, { ...more, done: false });
            const { upload: given, artifact } = await send("any.bin", piece, { ...more, done: offset + size >= bytes.length });
            upload = given;
            name = artifact?.path ?? "";
          }

          expect(await readFile(join(root, name))).toEqual(Buffer.from(bytes));
        },
      ),
      { numRuns: 20 },
    );
  });

  it("may be empty", async () => {
    const { root, send } = await openSession();

    await send("empty.txt", "");

    expect((await stat(join(root, "empty.txt"))).size).toBe(0);
  });

  it("has no holes and is not too large (SEC-15)", async () => {
    const { layout, send } = await openSession();
    const { upload } = await send("a.bin", "1234", { done: false });

    const hole = await failureOf(send("a.bin", "x", { upload, offset: 5 }));
    const stillThere = await readdir(layout.uploads);
    const huge = await failureOf(send("a.bin", "x", { upload, offset: maxArtifactBytes }));

    expect([hole.code, huge.code]).toEqual(["conflict", "too_large"]);
    expect(hole.message).toContain("4 bytes of this file have come");
    expect([stillThere.length, await readdir(layout.uploads)]).toEqual([1, []]);
  });

  it("belongs to its session: another cannot go on with it, nor can anybody with what is not there", async () => {
    const { files, send } = await openSession();
    const { upload } = await send("a.txt", "mine", { done: false });
    const piece = { path: ArtifactPath.parse("a.txt"), offset: 4, data: Buffer.from("x"), done: true };

    const foreign = await failureOf(files.receive(newSessionId(), { ...piece, upload }));
    const unknown = await failureOf(send("a.txt", "x", { upload: newUploadId() }));
    const without = await failureOf(send("a.txt", "x", { offset: 4 }));

    expect([foreign.code, unknown.code, without.code]).toEqual(["not_found", "not_found", "not_found"]);
  });

  it("does not leave its session through links, and takes no file for a folder (SEC-8)", async () => {
    const { top, root, send } = await openSession();
    await mkdir(join(top, "outside"));
    await symlink(join(top, "outside"), join(root, "link"));
    await symlink(join(top, "outside/new.txt"), join(root, "name.txt"));
    await writeFile(join(root, "file"), "");

    const errors = [await failureOf(send("link/x.txt", "x")), await failureOf(send("file/x.txt", "x"))];
    const beside = await send("name.txt", "x");

    expect(errors.map(({ code }) => code)).toEqual(["bad_request", "bad_request"]);
    expect(beside.artifact?.path).toBe("name (2).txt");
    expect(await readdir(join(top, "outside"))).toEqual([]);
  });

  it("leaves nothing behind when it is refused for good, so that refusals never keep another file out (SEC-15)", async () => {
    const { layout, root, send } = await openSession();
    await writeFile(join(root, "file"), "");

    for (let each = 0; each < 33; each += 1) expect((await failureOf(send("file/x.txt", "x"))).code).toBe("bad_request");
    const { upload } = await send("file/y.txt", "y", { done: false });
    await failureOf(send("file/y.txt", "y", { upload, offset: 1 }));

    expect(await readdir(layout.uploads)).toEqual([]);
    expect((await send("report.md", "x")).artifact?.path).toBe("report.md");
  });

  it("waits while 32 others of its session or 128 of the hall are coming, and never for those of another session (SEC-15)", async () => {
    const { files, send } = await openSession();
    const others = [newSessionId(), newSessionId(), newSessionId()];
    const begin = (id: SessionId) =>
      files.receive(id, { path: ArtifactPath.parse("a.txt"), upload: undefined, offset: 0, data: Buffer.from("x"), done: false });

    await Promise.all(Array.from({ length: 32 }, () => send("a.txt", "x", { done: false })));
    const ofSession = await failureOf(send("b.txt", "x"));
    for (const other of others) await Promise.all(Array.from({ length: 32 }, () => begin(other)));
    const ofHall = await failureOf(begin(newSessionId()));

    expect([ofSession.message, ofHall.message]).toEqual([
      "32 files are being sent to this session already. Wait until one of them has arrived.",
      "128 files are being sent to this hall already. Wait until one of them has arrived.",
    ]);
  });

  it("gives way after a minute without a piece, the one without a piece for the longest time first (SEC-15)", async () => {
    const { send, pass } = await openSession();
    const begun = [];
    for (let each = 0; each < 32; each += 1) begun.push((await send("a.txt", "x", { done: false })).upload);
    const [first, second] = begun;
    pass(59_000);
    if (first !== undefined) await send("a.txt", "y", { upload: first, offset: 1, done: false });
    const tooSoon = await failureOf(send("b.txt", "x"));
    pass(1_000);
    await send("b.txt", "x");

    expect(tooSoon.code).toBe("conflict");
    expect((await failureOf(send("a.txt", "y", { ...(second === undefined ? {} : { upload: second }), offset: 1 }))).code).toBe(
      "not_found",
    );
    expect(await send("a.txt", "z", { ...(first === undefined ? {} : { upload: first }), offset: 2 })).toMatchObject({ received: 3 });
  });

  it("gives way at once when it is left over from before a restart, and can be gone on with until then (SEC-15)", async () => {
    const { layout, id, send } = await openSession();
    const begun = [];
    for (let each = 0; each < 32; each += 1) begun.push((await send("a.txt", "x", { done: false })).upload);

    const restarted = createArtifactFiles(layout);
    const piece = { path: ArtifactPath.parse("a.txt"), offset: 1, data: Buffer.from("y"), done: true };
    const goneOn = await restarted.receive(id, { ...piece, upload: begun[0] });
    for (let each = 0; each < 32; each += 1) await restarted.receive(id, { ...piece, upload: undefined, offset: 0, done: false });

    expect(goneOn.artifact).toMatchObject({ size: 2 });
    expect(await readdir(layout.uploads)).toHaveLength(32);
  });

  it("that has had no piece for an hour is swept", async () => {
    const { layout, send, files } = await openSession();
    await send("a.txt", "x", { done: false });
    await send("a.txt", "x", { done: false });
    const [oldest = ""] = await readdir(layout.uploads);
    const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await utimes(join(layout.uploads, oldest), longAgo, longAgo);

    await files.sweep();

    expect(await readdir(layout.uploads)).toHaveLength(1);
  });
});
