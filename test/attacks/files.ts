import { mkdir, readFile, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { SessionId } from "../../src/schema/ids.ts";
import { rawRequest } from "../raw-request.ts";
import type { Hall } from "../running-hall.ts";

const secret = "open sesame";

/** Where a path leads: out of the session, through links, and into the headers of an answer. */
export function attackFiles(running: () => Hall): void {
  let hall: Hall;
  let id: SessionId;
  /** The folder of the session, and one beside the home that is nobody's business. */
  let folder: string;
  let outside: string;

  beforeAll(async () => {
    hall = running();
    ({ id } = await hall.client.sessions.create({ name: "Files" }));
    folder = join(hall.home, "sessions", id);
    outside = join(hall.home, "../outside");
    await mkdir(outside);
    await writeFile(join(outside, "secret.txt"), secret);
  });

  const read = (path: string, method = "GET") => rawRequest(hall.url, { method, path: `/api/sessions/${id}/artifacts/${path}` });

  const upload = (path: string) =>
    rawRequest(hall.url, {
      method: "POST",
      path: `/api/sessions/${id}/artifacts`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ path, offset: 0, data: Buffer.from("was here").toString("base64"), done: true }),
    });

  describe("the files of a session", () => {
    it.each([
      "..%2fsession.json",
      "%2e%2e/session.json",
      "a/../../session.json",
      "%2fetc%2fpasswd",
      "..%5c..%5cx",
      "a%00.txt",
      "%EF%BC%8E%EF%BC%8E/session.json",
      "%E2%80%A4%E2%80%A4/session.json",
      "x".repeat(3_000),
      `${"d/".repeat(40)}x`,
      "%C0%AE%C0%AE/session.json",
      "..;/session.json",
    ])("do not include %s (SEC-8)", async (path) => {
      const { status, body } = await read(path);

      expect([400, 404]).toContain(status);
      expect(body).not.toContain("sdkSessionId");
    });

    it.each([
      "../x",
      "/etc/x",
      "a/../../x",
      "a\\..\\..\\x",
      "a\0b",
      "a\r\nset-cookie: x=1",
      "\u202etxt.exe",
      "",
      ".",
      `${"x/".repeat(30)}x`,
    ])("are not added under the name %j (SEC-8)", async (path) => {
      expect((await upload(path)).status).toBe(400);
    });

    it("are not reached through links, to read or to write, wherever on the way one lies (SEC-8)", async () => {
      const artifacts = join(folder, "artifacts");
      await symlink(join(outside, "secret.txt"), join(artifacts, "link.txt"));
      await symlink(outside, join(artifacts, "elsewhere"));

      const answers = [await read("link.txt"), await read("elsewhere/secret.txt"), await upload("elsewhere/new.txt")];
      const listed = (await hall.client.sessions.artifacts.list(id)).artifacts.map(({ path }) => path);
      const added = await upload("link.txt");

      expect(answers.map(({ status }) => status >= 400 && status < 500)).toEqual([true, true, true]);
      expect(JSON.stringify(answers)).not.toContain(secret);
      expect(listed).toEqual([]);
      // A name that is taken gets a number; what the link leads to stays as it is.
      expect(JSON.parse(added.body)).toMatchObject({ artifact: { path: expect.not.stringMatching(/^link\.txt$/) as string } });
      expect(await readdir(outside)).toEqual(["secret.txt"]);
      expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe(secret);
    });

    it("never show what a link leads to that is put in their place while they are read (SEC-8)", async () => {
      const [deep, away] = [join(folder, "artifacts/deep"), join(folder, "artifacts/away")];
      await mkdir(deep);
      await writeFile(join(deep, "secret.txt"), "harmless");
      let swapping = true;
      const swaps = (async () => {
        for (; swapping;) {
          await rename(deep, away);
          await symlink(outside, deep);
          await rm(deep);
          await rename(away, deep);
        }
      })();

      const answers = await Promise.all(Array.from({ length: 40 }, () => read("deep/secret.txt")));
      swapping = false;
      await swaps;

      const seen = new Set(answers.map(({ status, body }) => (status === 200 ? body : "refused")));
      expect([...seen].filter((each) => each !== "harmless" && each !== "refused")).toEqual([]);
      expect((await read("deep/secret.txt")).body).toBe("harmless");
    });

    it("come as attachments that cannot act, under a name that stays a name (SEC-6)", async () => {
      const names = ["page.html", "drawing.svg", "--help", "-rf", 'x"; filename=evil.html', "a%0d%0aset-cookie: x.js", "Zoë\u2028x.md"];
      for (const name of names) {
        await writeFile(join(folder, "artifacts", name), "<script>alert(1)</script>");
        const { status, headers } = await read(encodeURIComponent(name));

        const disposition = String(headers["content-disposition"]);
        expect({ name, status }).toEqual({ name, status: 200 });
        expect(disposition).toMatch(/^attachment; filename="[ -~]+"; filename\*=UTF-8''[\w.~%!-]+$/);
        expect(disposition.match(/"/g)).toHaveLength(2);
        expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? "")).toBe(name);
        expect(headers["set-cookie"]).toBeUndefined();
        expect(headers["x-content-type-options"]).toBe("nosniff");
        expect(headers["content-security-policy"]).toContain("sandbox");
        expect(headers["content-security-policy"]).not.toContain("script-src");
        expect(headers["content-type"]).not.toMatch(/html|javascript/);
      }
    });

    it("include a context file that is no link, to read and to write (SEC-8)", async () => {
      await rm(join(folder, "context.md"));
      await symlink(join(outside, "secret.txt"), join(folder, "context.md"));
      const path = `/api/sessions/${id}/context`;

      const found = await rawRequest(hall.url, { path });
      const written = await rawRequest(hall.url, {
        method: "PUT",
        path,
        headers: { "content-type": "text/markdown", "if-match": "*" },
        body: "was here",
      });

      expect([found.status >= 400, written.status >= 400]).toEqual([true, true]);
      expect(found.body).not.toContain(secret);
      expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe(secret);
    });
  });
}
