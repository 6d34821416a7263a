import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { ArtifactPath, maxArtifactBytes } from "../../schema/artifact.ts";
import { newSessionId, newUploadId } from "../../schema/ids.ts";
import type { UploadId } from "../../schema/ids.ts";
import { failureOf } from "./failure-of.testing.ts";
import { createLayout } from "./layout.ts";
import { createArtifactFiles } from "./session-artifacts.ts";

async function openSession() {
  const top = await temporaryFolder();
  const layout = createLayout(join(top, "home"));
  const id = newSessionId();
  const root = layout.session(id).artifacts;
  await mkdir(root, { recursive: true });
  const files = createArtifactFiles(layout);
  const send = (path: string, data: string | Uint8Array, more: { upload?: UploadId; offset?: number; done?: boolean } = {}) =>
    files.receive(id, {
      path: ArtifactPath.parse(path),
      upload: more.upload,
      offset: more.offset ?? 0,
      data: Buffer.from(data),
      done: more.done ?? true,
    });
  return { top, layout, id, root, files, send };
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

  it("that nobody goes on with is swept, and only so many are on their way at once (SEC-15)", async () => {
    const { layout, send, files } = await openSession();
    const uploads = [];
    for (let each = 0; each < 32; each += 1) uploads.push((await send("a.txt", "x", { done: false })).upload);

    const oneMore = await failureOf(send("a.txt", "x"));
    const [oldest = ""] = await readdir(layout.uploads);
    const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await utimes(join(layout.uploads, oldest), longAgo, longAgo);
    await files.sweep();

    expect(oneMore.code).toBe("conflict");
    expect(await readdir(layout.uploads)).toHaveLength(31);
    await send("a.txt", "x");
  });
});
