import { execFileSync } from "node:child_process";
import { lstat, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { HallError } from "../../schema/hall-error.ts";
import { newSessionId } from "../../schema/ids.ts";
import { startProgram } from "./child-program.testing.ts";
import { failureOf } from "./failure-of.testing.ts";
import { createLayout } from "./layout.ts";
import { createContextFiles } from "./session-context.ts";

async function openSession() {
  const layout = createLayout(await temporaryFolder());
  const id = newSessionId();
  const { folder, context: path } = layout.session(id);
  await mkdir(folder, { recursive: true });
  const problems: unknown[] = [];
  return { files: createContextFiles({ layout, onProblem: (error) => problems.push(error) }), id, folder, path, problems };
}

describe("a context file", () => {
  it("is read as it is on the disk at that moment, with a name for exactly that content (REQ-GH1-34)", async () => {
    const { files, id, path } = await openSession();
    await writeFile(path, "\ufeffone\r\n");
    const first = await files.read(id);

    await writeFile(path, "two\n");
    const second = await files.read(id);

    expect(first.text).toBe("\ufeffone\r\n");
    expect(second.text).toBe("two\n");
    expect(second.etag).not.toBe(first.etag);
    expect((await files.read(id)).etag).toBe(second.etag);
  });

  it("is written whole, for its owner alone, where it is still what the writer read", async () => {
    const { files, id, path, folder } = await openSession();
    await writeFile(path, "old");
    const { etag } = await files.read(id);

    const written = await files.write(id, "new\r\n", { ifMatch: etag });

    expect(await readFile(path, "utf8")).toBe("new\r\n");
    expect(written.etag).toBe((await files.read(id)).etag);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["context.md"]);
  });

  it("is left alone where somebody saved it since, and the writer gets what they saved", async () => {
    const { files, id, path, folder } = await openSession();
    await writeFile(path, "old");
    const { etag } = await files.read(id);
    await writeFile(path, "the person's");

    const error = await failureOf(files.write(id, "mine", { ifMatch: etag }));

    expect(error.code).toBe("precondition_failed");
    expect(error.details).toEqual({ text: "the person's", etag: (await files.read(id)).etag });
    expect(await readFile(path, "utf8")).toBe("the person's");
    expect(await readdir(folder)).toEqual(["context.md"]);
  });

  it("is made where there is none, and not replaced by somebody who did not look", async () => {
    const { files, id, path } = await openSession();

    expect((await files.read(id)).text).toBe("");
    await files.write(id, "first");
    const error = await failureOf(files.write(id, "second"));

    expect(error.code).toBe("precondition_failed");
    expect(await readFile(path, "utf8")).toBe("first");
    await rm(path);
    expect((await failureOf(files.write(id, "third", { ifMatch: "*" }))).code).toBe("precondition_failed");
    await files.write(id, "third", { ifMatch: (await files.read(id)).etag });
    await files.write(id, "fourth", { ifMatch: "*" });
    expect(await readFile(path, "utf8")).toBe("fourth");
  });

  it("has one writer at a time: of many that read the same, one wins", async () => {
    const { files, id, path } = await openSession();
    await writeFile(path, "start");
    const { etag } = await files.read(id);

    const writes = await Promise.allSettled(["a", "b", "c", "d"].map((text) => files.write(id, text, { ifMatch: etag })));

    expect(writes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await readFile(path, "utf8")).toBe("a");
  });

  it("keeps every save of an editor, however often the hall writes at the same time", async () => {
    const { files, id, path, folder } = await openSession();
    await writeFile(path, "");
    const saves = 300;
    const editor = startProgram(new URL("./context-editor.testing.ts", import.meta.url), [path, String(saves)]);
    let isEditing = true;
    const ended = editor.end().then(() => (isEditing = false));
    const writer = async (name: string) => {
      for (let at = 0; isEditing; at += 1) {
        const { text, etag } = await files.read(id);
        await files.write(id, `${text}${name} ${at}\n`, { ifMatch: etag }).catch((error: unknown) => {
          if (!(error instanceof HallError && error.code === "precondition_failed")) throw error;
        });
      }
    };

    await Promise.all([writer("one"), writer("two"), ended]);

    const lines = (await readFile(path, "utf8")).split("\n");
    expect(lines.filter((line) => line.startsWith("editor"))).toEqual(Array.from({ length: saves }, (_, at) => `editor ${at}`));
    expect(await readdir(folder)).toEqual(["context.md"]);
  });

  it("is found again where a crash left it moved aside, and what is newer stays", async () => {
    const { files, id, path, folder } = await openSession();
    await writeFile(join(folder, ".context.md.aside"), "before the crash");

    const found = await files.read(id);
    await writeFile(join(folder, ".context.md.aside"), "older");
    await files.write(id, "newer", { ifMatch: found.etag });

    expect(found.text).toBe("before the crash");
    expect(await readFile(path, "utf8")).toBe("newer");
    expect(await readdir(folder)).toEqual(["context.md"]);
  });

  it("keeps every byte of any text", async () => {
    const { files, id, path } = await openSession();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
        await files.write(id, text, { ifMatch: (await files.read(id)).etag });

        expect(await readFile(path)).toEqual(Buffer.from(text));
        expect((await files.read(id)).text).toBe(text.toWellFormed());
      }),
      { numRuns: 20 },
    );
  });

  it("may be a megabyte, and no more", async () => {
    const { files, id, path } = await openSession();
    const most = "x".repeat(1024 * 1024);

    await files.write(id, most);
    const beyond = await failureOf(files.write(id, `${most}x`, { ifMatch: "*" }));
    await writeFile(path, `${most}${most}`);
    const found = await failureOf(files.read(id));

    expect([beyond.code, found.code]).toEqual(["too_large", "too_large"]);
    expect(found.message).toContain("context.md: 2097152 bytes are too many");
    expect((await stat(path)).size).toBe(2 * 1024 * 1024);
  });

  it.each([
    ["bytes that are no text", (path: string) => writeFile(path, Buffer.from([0xff, 0xfe, 0x00, 0x80]))],
    ["a folder", (path: string) => mkdir(path)],
    ["a link", (path: string) => symlink("/etc/passwd", path)],
    ["a pipe that nobody writes to", async (path: string) => void execFileSync("mkfifo", [path])],
  ])("that is %s is told in words, does not hang, and is never overwritten (SEC-8)", async (_what, make) => {
    const { files, id, path } = await openSession();
    await make(path);
    const kind = () => lstat(path).then(({ mode, ino }) => [mode, ino]);
    const before = await kind();

    const errors = [await failureOf(files.read(id)), await failureOf(files.write(id, "x", { ifMatch: "*" }))];

    expect(errors.map(({ code }) => code)).toEqual(["file_broken", "file_broken"]);
    expect(errors[0]?.message).toContain(path);
    expect(await kind()).toEqual(before);
  });
});

describe("watching a context file", () => {
  async function watched() {
    const session = await openSession();
    await writeFile(session.path, "start");
    await session.files.read(session.id);
    let calls = 0;
    const stop = session.files.watch(session.id, () => (calls += 1));
    onTestFinished(stop);
    return { ...session, stop, calls: () => calls };
  }

  it("tells when somebody saves it in place, puts another in its place, or deletes it (REQ-GH1-34)", async () => {
    const { path, calls, folder } = await watched();

    await writeFile(path, "edited");
    await expect.poll(calls).toBe(1);
    await writeFile(join(folder, "new"), "renamed");
    await rename(join(folder, "new"), path);
    await expect.poll(calls).toBe(2);
    await rm(path);
    await expect.poll(calls).toBe(3);
  });

  it("says nothing of the hall's own writes, other files, or saves that change nothing", async () => {
    const { files, id, path, folder, calls } = await watched();

    await files.write(id, "ours", { ifMatch: "*" });
    await writeFile(join(folder, "messages.jsonl"), "x");
    await writeFile(path, "ours");
    await writeFile(path, "theirs");

    await expect.poll(calls).toBe(1);
  });

  it("ends when nobody wants to know any more, and does not mind a folder that is not there", async () => {
    const { files, stop, problems } = await watched();

    stop();
    stop();
    files.watch(newSessionId(), () => undefined)();

    expect(problems).toEqual([]);
  });
});
