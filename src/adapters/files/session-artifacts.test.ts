import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { ArtifactPath } from "../../schema/artifact.ts";
import { HallError } from "../../schema/hall-error.ts";
import { newSessionId } from "../../schema/ids.ts";
import { failureOf } from "./failure-of.testing.ts";
import { createLayout } from "./layout.ts";
import { createArtifactFiles } from "./session-artifacts.ts";

/** A session with a few files, beside things that must not be reached. */
async function setTraps() {
  const top = await temporaryFolder();
  const layout = createLayout(join(top, "home"));
  const id = newSessionId();
  const root = layout.session(id).artifacts;
  await mkdir(join(root, "notes"), { recursive: true });
  await mkdir(join(top, "secret"));
  await writeFile(join(root, "report.md"), "# Report");
  await writeFile(join(root, "notes/a.txt"), "a");
  await writeFile(join(top, "secret/key.txt"), "key");
  await writeFile(join(root, "../session.json"), "record");
  await symlink(join(top, "secret"), join(root, "to-folder"));
  await symlink(join(top, "secret/key.txt"), join(root, "to-file"));
  await symlink(join(root, "report.md"), join(root, "to-inside"));
  await symlink("loop", join(root, "loop"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  const server = createServer().listen(join(root, "socket"));
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const files = createArtifactFiles(layout);
  const read = async (path: string): Promise<string> => {
    const file = await files.open(id, asPath(path));
    try {
      return Buffer.from(await file.read(0, 1_000)).toString();
    } finally {
      await file.close();
    }
  };
  return { top, layout, id, root, files, read };
}

/** What no check of the text has seen: the files themselves must hold. */
const asPath = (path: string) => path as ArtifactPath;

describe("the artifacts of a session", () => {
  it("are listed by path with size, time and type, and nothing that is not served (REQ-GH1-19)", async () => {
    const { files, id, root } = await setTraps();
    await writeFile(join(root, ".report.md.1-a-b.tmp"), "half written");

    const { artifacts, truncated } = await files.list(id);

    expect(artifacts.map(({ path, size, mimeType }) => [path, size, mimeType])).toEqual([
      ["notes/a.txt", 1, "text/plain"],
      ["report.md", 8, "text/markdown"],
    ]);
    expect(Date.parse(artifacts[0]?.modifiedAt ?? "")).toBeGreaterThan(0);
    expect(truncated).toBe(true);
  });

  it("are none where the folder is gone, and the list says where it ends", async () => {
    const { files, id, root } = await setTraps();
    await rm(root, { recursive: true });
    const none = await files.list(id);

    await mkdir(root);
    for (let each = 0; each < 2_010; each += 1) await writeFile(join(root, `${each}`), "");
    const many = await files.list(id);

    expect(none).toEqual({ artifacts: [], truncated: false });
    expect([many.artifacts.length, many.truncated]).toEqual([2_000, true]);
  });

  it("do not include folders that are too deep", async () => {
    const { files, id, root } = await setTraps();
    await rm(root, { recursive: true });
    await mkdir(join(root, ...Array.from({ length: 20 }, () => "d")), { recursive: true });
    await writeFile(join(root, "d", "x.txt"), "x");

    const { artifacts, truncated } = await files.list(id);

    expect([artifacts.map(({ path }) => path), truncated]).toEqual([["d/x.txt"], true]);
  });

  it("are read by their path", async () => {
    const { read } = await setTraps();

    expect([await read("report.md"), await read("notes/a.txt")]).toEqual(["# Report", "a"]);
  });

  it.each([
    ["climbs", "../session.json"],
    ["climbs further", "../../../../secret/key.txt"],
    ["climbs from below", "notes/../../session.json"],
    ["is absolute", "/etc/passwd"],
    ["is a link to a file outside", "to-file"],
    ["goes through a link to a folder outside", "to-folder/key.txt"],
    ["is a link, even to a file inside", "to-inside"],
    ["is a link to itself", "loop"],
    ["is a folder", "notes"],
    ["is a pipe, which nobody writes to", "pipe"],
    ["is a socket", "socket"],
    ["goes through a file", "report.md/x"],
    ["does not exist", "missing.txt"],
    ["is the folder itself", "."],
    ["is empty", ""],
    ["has a very long name", "a".repeat(300)],
    ["is very long", `${"a/".repeat(3_000)}x`],
    ["looks like a climb in wide letters", "．．/session.json"],
    ["looks like a climb to those who decode twice", "%2e%2e/session.json"],
  ])("refuse a path that %s (SEC-8)", async (_why, path) => {
    const { files, id } = await setTraps();

    const wellFormed = ArtifactPath.safeParse(path);
    const error = wellFormed.success ? await failureOf(files.open(id, wellFormed.data)) : new HallError("bad_request", "not a path");

    expect(["not_found", "bad_request"]).toContain(error.code);
  });

  it.each([
    "../x",
    "/x",
    "a//b",
    "a/./b",
    "a\\b",
    "a\u0000b",
    "a\nb",
    "a\u202eb",
    "\ud800",
    "",
    "x/",
    `${"é".repeat(128)}`,
    "a/".repeat(20),
  ])("have no path like %j (SEC-8)", (path) => {
    expect(ArtifactPath.safeParse(path).success).toBe(false);
  });

  it("are not reached where the whole folder is a link (SEC-8)", async () => {
    const { top, root, files, id, read } = await setTraps();
    await rm(root, { recursive: true });
    await symlink(join(top, "secret"), root);

    expect((await failureOf(read("key.txt"))).code).toBe("not_found");
    expect((await failureOf(files.list(id))).code).toBe("home_unusable");
  });

  it("never include anything else, however it is spelled (SEC-8)", async () => {
    const { top, read } = await setTraps();
    const piece = fc.constantFrom(
      "..",
      ".",
      "",
      "notes",
      "to-folder",
      "to-file",
      "a.txt",
      "key.txt",
      "secret",
      top,
      "session.json",
      "~",
      "%2e",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 6 }), async (pieces) => {
        const path = ArtifactPath.safeParse(pieces.join("/"));

        const text = path.success ? await read(path.data).catch(() => "refused") : "refused";

        expect(["a", "refused"]).toContain(text);
      }),
      { numRuns: 100 },
    );
  });
});
