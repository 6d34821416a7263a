import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { createLayout } from "../../adapters/files/layout.ts";
import { createArtifactFiles } from "../../adapters/files/session-artifacts.ts";
import { createContextFiles } from "../../adapters/files/session-context.ts";
import { createHallClient } from "../../client/hall-client.ts";
import { ArtifactPath, uploadChunkBytes } from "../../schema/artifact.ts";
import { HallError } from "../../schema/hall-error.ts";
import { newSessionId } from "../../schema/ids.ts";
import { Problem } from "../../schema/problem.ts";
import { sessionWith } from "../../schema/session.testing.ts";
import { artifactRoutes } from "./artifacts.ts";
import { contextRoutes } from "./context.ts";
import { createApiHandler } from "./handler.ts";
import { describeApi } from "./openapi.ts";

/** The routes of one session's files, on real files. */
async function serveSession() {
  const layout = createLayout(await temporaryFolder());
  const session = sessionWith();
  const { id } = session;
  const { artifacts: root, context } = layout.session(id);
  await mkdir(root, { recursive: true });
  const changes: string[] = [];
  const sessions = {
    async get(asked: typeof id) {
      if (asked !== id) throw new HallError("not_found", `There is no session ${asked}.`);
      return session;
    },
  };
  const routes = [
    ...contextRoutes({
      sessions,
      context: createContextFiles({ layout, onProblem: () => undefined }),
      onContextChanged: () => changes.push("context"),
    }),
    ...artifactRoutes({ sessions, artifacts: createArtifactFiles(layout), onArtifactAdded: () => changes.push("artifact") }),
  ];
  const fetch = createApiHandler(routes, { log: pino({ level: "silent" }), scrub: (text) => text, door: { isPerson: () => true } });
  const at = `/api/sessions/${id}`;
  const ask = (method: string, path: string, more: { headers?: Record<string, string>; body?: string } = {}) =>
    fetch(new Request(`http://hall${at}${path}`, { method, ...more }));
  const client = createHallClient({ baseUrl: "", fetch: (input, init) => fetch(new Request(input, init)) });
  return { id, root, context, routes, fetch, ask, client, changes };
}

const markdown = { "content-type": "text/markdown" };

describe("the context of a session over HTTP", () => {
  it("is read as Markdown with an ETag, and replaced by whoever names that (REQ-GH1-34)", async () => {
    const { context, ask, changes } = await serveSession();
    await writeFile(context, "# One\r\n");

    const read = await ask("GET", "/context");
    const etag = read.headers.get("etag") ?? "";
    const written = await ask("PUT", "/context", { headers: { ...markdown, "if-match": etag }, body: "# Two\n" });
    const again = await ask("GET", "/context");

    expect([read.status, read.headers.get("content-type"), await read.text()]).toEqual([200, "text/markdown; charset=utf-8", "# One\r\n"]);
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect([written.status, written.headers.get("etag")]).toEqual([204, again.headers.get("etag")]);
    expect(await again.text()).toBe("# Two\n");
    expect(changes).toEqual(["context"]);
  });

  it("is not replaced on a stale ETag: 412 names the present one and nothing is lost", async () => {
    const { context, ask, changes } = await serveSession();
    await writeFile(context, "one");
    const stale = (await ask("GET", "/context")).headers.get("etag") ?? "";
    await writeFile(context, "the person's");

    const refused = await ask("PUT", "/context", { headers: { ...markdown, "if-match": stale }, body: "mine" });

    expect(refused.status).toBe(412);
    expect(refused.headers.get("etag")).toBe((await ask("GET", "/context")).headers.get("etag"));
    expect(Problem.parse(await refused.json()).code).toBe("precondition_failed");
    expect(await readFile(context, "utf8")).toBe("the person's");
    expect(changes).toEqual([]);
  });

  it("needs an If-Match where there is a file, and none where there is not", async () => {
    const { context, ask } = await serveSession();

    const first = await ask("PUT", "/context", { headers: markdown, body: "first" });
    const second = await ask("PUT", "/context", { headers: markdown, body: "second" });

    expect([first.status, second.status]).toEqual([204, 412]);
    expect(Problem.parse(await second.json()).detail).toContain("If-Match");
    expect(await readFile(context, "utf8")).toBe("first");
  });

  it.each([
    ["any", () => "*", 204],
    ["one of several", (etag: string) => `"x", ${etag}`, 204],
    ["a weak one", (etag: string) => `W/${etag}`, 412],
    ["nonsense", () => "nonsense", 412],
    ["another", () => '"x"', 412],
  ])("takes If-Match for what it says: %s", async (_what, header, status) => {
    const { context, ask } = await serveSession();
    await writeFile(context, "one");
    const etag = (await ask("GET", "/context")).headers.get("etag") ?? "";

    const answer = await ask("PUT", "/context", { headers: { ...markdown, "if-match": header(etag) }, body: "two" });

    expect(answer.status).toBe(status);
  });

  it.each([
    ["JSON", { "content-type": "application/json" }, '"x"', 415],
    ["what a form can send", { "content-type": "text/plain" }, "x", 415],
    ["no type", {}, "", 415],
    ["more than a megabyte", markdown, "x".repeat(1024 * 1024 + 1), 413],
  ])("refuses %s as a body (SEC-3)", async (_what, headers, body, status) => {
    const { fetch, id } = await serveSession();
    const request = new Request(`http://hall/api/sessions/${id}/context`, { method: "PUT", headers, body: Buffer.from(body) });

    expect((await fetch(request)).status).toBe(status);
  });

  it("refuses bytes that are no text, and tells of a file that is none", async () => {
    const { context, fetch, id, ask } = await serveSession();
    const url = `http://hall/api/sessions/${id}/context`;
    const bytes = Buffer.from([0xff, 0xfe]);

    const sent = await fetch(new Request(url, { method: "PUT", headers: markdown, body: bytes }));
    await writeFile(context, bytes);
    const found = await ask("GET", "/context");

    expect([sent.status, found.status]).toEqual([400, 500]);
    expect(Problem.parse(await found.json())).toMatchObject({ code: "file_broken", detail: expect.stringContaining("UTF-8") as unknown });
  });

  it("is none of a session that is not there", async () => {
    const { fetch } = await serveSession();

    const answers = await Promise.all(
      ["GET", "PUT"].map((method) =>
        fetch(
          new Request(`http://hall/api/sessions/${newSessionId()}/context`, {
            method,
            ...(method === "PUT" ? { headers: markdown, body: "x" } : {}),
          }),
        ),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });
});

describe("the artifacts of a session over HTTP", () => {
  it.each([
    ["page.html", "text/plain; charset=utf-8"],
    ["app.js", "text/plain; charset=utf-8"],
    ["feed.xml", "text/plain; charset=utf-8"],
    ["picture.svg", "image/svg+xml"],
    ["picture.png", "image/png"],
    ["data.json", "text/plain; charset=utf-8"],
    ["program.wasm", "application/octet-stream"],
    ["odd.constructor", "application/octet-stream"],
    ["none", "application/octet-stream"],
  ])("never serve %s as something that could act for the hall (SEC-6)", async (name, type) => {
    const { root, ask } = await serveSession();
    await writeFile(join(root, name), "<script>alert(1)</script>");

    const { status, headers, body } = await ask("GET", `/artifacts/${name}`);
    await body?.cancel();

    expect([status, headers.get("content-type"), headers.get("x-content-type-options")]).toEqual([200, type, "nosniff"]);
    expect(headers.get("content-disposition")).toMatch(/^attachment;/);
    expect(headers.get("content-security-policy")).toContain("sandbox");
    expect(headers.get("content-length")).toBe("25");
  });

  it.each([
    ["%2e%2e/session.json", 400],
    ["%2e%2e%2fsession.json", 400],
    ["..%5csession.json", 400],
    ["%00", 400],
    ["%2fetc%2fpasswd", 400],
    [`${"a".repeat(2_000)}`, 400],
    ["link", 400],
    ["missing", 404],
    ["%252e%252e/session.json", 404],
    ["%ef%bc%8e%ef%bc%8e/session.json", 404],
  ])("refuse the address %s (SEC-8)", async (path, status) => {
    const { root, id, fetch } = await serveSession();
    await writeFile(join(root, "../session.json"), "record");
    await symlink(join(root, "../session.json"), join(root, "link"));
    // Built by hand: the parser of addresses would resolve the climb itself.
    const request = new Request(`http://hall/api/sessions/${id}/artifacts/x`);
    Object.defineProperty(request, "url", { value: `http://hall/api/sessions/${id}/artifacts/${path}` });

    const answer = await fetch(request);

    expect(answer.status).toBe(status);
    expect(Problem.safeParse(await answer.json()).success).toBe(true);
  });

  it("come in parts where a part is asked for", async () => {
    const { root, ask } = await serveSession();
    await writeFile(join(root, "ten.txt"), "0123456789");
    const part = async (range: string) => {
      const { status, headers, text } = await ask("GET", "/artifacts/ten.txt", { headers: { range } }).then(async (answer) => ({
        status: answer.status,
        headers: answer.headers,
        text: await answer.text(),
      }));
      return [status, text, headers.get("content-range"), headers.get("content-length")];
    };

    expect(await part("bytes=2-4")).toEqual([206, "234", "bytes 2-4/10", "3"]);
    expect(await part("bytes=8-")).toEqual([206, "89", "bytes 8-9/10", "2"]);
    expect(await part("bytes=-3")).toEqual([206, "789", "bytes 7-9/10", "3"]);
    expect(await part("bytes=5-99")).toEqual([206, "56789", "bytes 5-9/10", "5"]);
    expect((await part("bytes=10-"))[0]).toBe(416);
    expect((await part("bytes=1-2,4-5")).slice(0, 2)).toEqual([200, "0123456789"]);
  });

  it("answer HEAD with what GET would say, and without a body", async () => {
    const { root, ask } = await serveSession();
    await writeFile(join(root, "ten.txt"), "0123456789");

    const answer = await ask("HEAD", "/artifacts/ten.txt");

    expect([answer.status, answer.headers.get("content-length"), await answer.text()]).toEqual([200, "10", ""]);
  });

  it("break off where a file became shorter than was promised", async () => {
    const { root, ask } = await serveSession();
    await writeFile(join(root, "big.bin"), Buffer.alloc(1024 * 1024));
    const answer = await ask("GET", "/artifacts/big.bin");

    await writeFile(join(root, "big.bin"), "");

    await expect(answer.arrayBuffer()).rejects.toThrow(/became shorter/);
  });

  it("come and go through the client, piece by piece, under any name a file can have", async () => {
    const { id, client, changes } = await serveSession();
    const big = Buffer.from(Array.from({ length: uploadChunkBytes * 2 + 10 }, (_, at) => at % 251));
    const progress: number[] = [];

    const added = await client.sessions.artifacts.add(id, "sub/größe 100%.bin", new Blob([big]), { onProgress: (at) => progress.push(at) });
    const again = await client.sessions.artifacts.add(id, "sub/größe 100%.bin", new Blob(["small"]));
    const read = await client.sessions.artifacts.read(id, added.path);
    const beginning = await client.sessions.artifacts.read(id, added.path, { most: 3 });
    const listed = await client.sessions.artifacts.list(id);

    expect(added).toMatchObject({ path: "sub/größe 100%.bin", size: big.length });
    expect(again.path).toBe("sub/größe 100% (2).bin");
    expect(progress).toEqual([uploadChunkBytes, uploadChunkBytes * 2, big.length]);
    expect(Buffer.from(await read.arrayBuffer()).equals(big)).toBe(true);
    expect(read.headers.get("content-disposition")).toContain("filename*=UTF-8''gr%C3%B6%C3%9Fe%20100%25.bin");
    expect(await beginning.arrayBuffer()).toEqual(new Uint8Array([0, 1, 2]).buffer);
    expect(listed.artifacts.map(({ path }) => path).sort()).toEqual([again.path, added.path].sort());
    expect(changes).toEqual(["artifact", "artifact"]);
  });

  it("are found again under their address, whatever their name is", async () => {
    const { id, root, client } = await serveSession();
    const name = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
      .filter((each) => !each.includes("/") && ArtifactPath.safeParse(each).success);
    const special = fc.constantFrom(
      "%2e%2e",
      "100%",
      "a?b#c",
      "a&b=c",
      "a+b",
      "%",
      "events",
      "a b",
      "~",
      "{path}",
      ":id",
      "*",
      "%25",
      "a\u2028b",
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(name, special), async (each) => {
        await writeFile(join(root, each), each);

        const answer = await client.sessions.artifacts.read(id, each);

        expect(await answer.text()).toBe(each);
      }),
      { numRuns: 60 },
    );
  });

  it("do not take what is no piece of a file", async () => {
    const { ask } = await serveSession();
    const send = async (body: unknown) =>
      (await ask("POST", "/artifacts", { headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).status;

    const good = { path: "a.txt", offset: 0, data: "eA==", done: true };
    expect(await send(good)).toBe(200);
    expect(await send({ ...good, path: "../a.txt" })).toBe(400);
    expect(await send({ ...good, data: "no base64!" })).toBe(400);
    expect(await send({ ...good, offset: -1 })).toBe(400);
    expect(await send({ ...good, offset: 1e9 })).toBe(400);
    expect(await send({ ...good, upload: "upl_1" })).toBe(400);
    expect(await send({ ...good, data: "A".repeat(1024 * 1024) })).toBe(413);
  });
});

it("all these addresses are described, with the types they take and give", async () => {
  const { routes } = await serveSession();

  const { paths } = z.object({ paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))) }).parse(describeApi("", routes));

  expect(Object.entries(paths).map(([path, operations]) => [path, Object.keys(operations)])).toEqual([
    ["/api/sessions/{id}/context", ["get", "put"]],
    ["/api/sessions/{id}/artifacts", ["get", "post"]],
    ["/api/sessions/{id}/artifacts/{path}", ["get"]],
  ]);
  expect(paths["/api/sessions/{id}/context"]?.["put"]).toMatchObject({ requestBody: { content: { "text/markdown": {} } } });
  expect(paths["/api/sessions/{id}/context"]?.["get"]).toMatchObject({ responses: { 200: { content: { "text/markdown": {} } } } });
});
