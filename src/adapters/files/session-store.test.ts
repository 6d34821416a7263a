import { appendFile, chmod, mkdir, readFile, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ordinaryUser } from "../../../test/ordinary-user.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { initialContext } from "../../core/session/context-sections.ts";
import { newMessageId, newSessionId } from "../../schema/ids.ts";
import type { Message, SessionStatus } from "../../schema/session.ts";
import { startProgram } from "./child-program.testing.ts";
import { createLayout } from "./layout.ts";
import type { Layout } from "./layout.ts";
import { openSessionStore } from "./session-store.ts";
import { sessionWith } from "../../schema/session.testing.ts";

const message = (text: string): Message => ({
  id: newMessageId(),
  role: "user",
  at: "2026-01-01T00:00:00.000Z",
  blocks: [{ type: "text", text }],
});

async function home(): Promise<Layout> {
  const layout = createLayout(await temporaryFolder());
  await mkdir(layout.sessions);
  return layout;
}

async function open(
  layout: Layout,
  told: { onFound?: (id: string, status: SessionStatus | null) => void; onProblem?: (error: unknown) => void } = {},
) {
  const store = await openSessionStore({ layout, ...told });
  onTestFinished(store.close);
  return store;
}

describe("the session store", () => {
  it("keeps a session as a folder with its record, context and artifacts, for its owner alone (REQ-GH1-19, SEC-16)", async () => {
    const layout = await home();
    const store = await open(layout);

    const made = await store.create(sessionWith({ name: "Kept" }));

    const { folder, record, context, artifacts } = layout.session(made.id);
    expect(await readdir(folder)).toEqual(["artifacts", "context.md", "session.json"]);
    expect(JSON.parse(await readFile(record, "utf8"))).toMatchObject({ version: 1, name: "Kept" });
    expect((await stat(folder)).mode & 0o077).toBe(0);
    expect((await stat(artifacts)).mode & 0o077).toBe(0);
    for (const file of [record, context]) expect((await stat(file)).mode & 0o077).toBe(0);
  });

  it("begins the context file with its headings, or with what it is given (REQ-GH1-30)", async () => {
    const layout = await home();
    const store = await open(layout);

    const plain = await store.create(sessionWith({ name: "Plain" }));
    const given = await store.create(sessionWith(), "Only this.");

    expect(await readFile(layout.session(plain.id).context, "utf8")).toBe(initialContext("Plain"));
    expect(await readFile(layout.session(given.id).context, "utf8")).toBe("Only this.");
  });

  it("lists newest activity first, by page, status and words of the name (REQ-GH1-10)", async () => {
    const store = await open(await home());
    const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;
    for (const minute of [1, 3, 2])
      await store.create(
        sessionWith({ name: `Session ${minute}`, lastActivityAt: at(minute), status: minute === 2 ? "completed" : "idle" }),
      );

    const first = await store.list({ limit: 2 });
    const second = await store.list({ limit: 2, cursor: first.nextCursor ?? "" });

    expect([...first.sessions, ...second.sessions].map(({ name }) => name)).toEqual(["Session 3", "Session 2", "Session 1"]);
    expect(second.nextCursor).toBeNull();
    expect((await store.list({ limit: 9, status: ["completed"] })).sessions.map(({ name }) => name)).toEqual(["Session 2"]);
    expect((await store.list({ limit: 9, status: ["completed", "expired", "idle"] })).sessions).toHaveLength(3);
    expect((await store.list({ limit: 9, q: " session 1 " })).sessions.map(({ name }) => name)).toEqual(["Session 1"]);
  });

  it("counts sessions by status, all of them whatever page is asked for", async () => {
    const folder = await home();
    const store = await open(folder);
    const [first] = [await store.create(sessionWith()), await store.create(sessionWith({ status: "completed" }))];
    await store.create(sessionWith());

    await store.update(first.id, (session) => ({ ...session, status: "expired" }));
    const { sessions, counts } = await store.list({ limit: 1, q: "session" });

    expect(sessions).toHaveLength(1);
    expect(counts).toEqual({ idle: 1, running: 0, completed: 1, expired: 1, error: 0, failed: 0 });
    await store.remove(first.id);
    expect((await store.list({ limit: 1 })).counts?.expired).toBe(0);
  });

  it("knows those that failed from others that are idle, and lists either, also after another start", async () => {
    const folder = await home();
    const store = await open(folder);
    const failure = { code: "model_overloaded", message: "The model is overloaded." } as const;
    const failed = await store.create(sessionWith({ error: failure }));
    const stopped = await store.create(sessionWith({ error: { code: "stopped", message: "Stopped." } }));
    const ended = await store.create(sessionWith({ status: "completed" }));
    const idsOf = async (from: typeof store, query: { status?: readonly SessionStatus[]; failed?: boolean }) =>
      new Set((await from.list({ limit: 9, ...query })).sessions.map(({ id }) => id));

    expect((await store.list({ limit: 1 })).counts).toMatchObject({ idle: 2, failed: 1, completed: 1 });
    expect(await idsOf(store, { status: ["idle"] })).toEqual(new Set([failed.id, stopped.id]));
    expect(await idsOf(store, { status: ["idle"], failed: false })).toEqual(new Set([stopped.id]));
    expect(await idsOf(store, { failed: false })).toEqual(new Set([stopped.id, ended.id]));
    await store.close();
    const again = await open(folder);

    expect((await again.list({ limit: 9, failed: true })).sessions).toEqual([failed]);
    expect(await idsOf(again, { status: ["completed"], failed: true })).toEqual(new Set());
  });

  it("finds sessions by their names and by what was said in them, newest activity first, page by page", async () => {
    const store = await open(await home());
    const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;
    const made = [];
    for (const minute of [1, 2, 3, 4])
      made.push(await store.create(sessionWith({ name: `Session ${minute}`, lastActivityAt: at(minute) })));
    const [first, second, third] = made.map(({ id }) => id);
    if (first === undefined || second === undefined || third === undefined) throw new Error("There are four.");
    await store.update(second, (session) => ({ ...session, name: "Needles" }));
    await store.appendMessage(first, message("Where is the needle?"));
    await store.appendMessage(third, message("Hay."));
    await store.appendMessage(third, message("A NEEDLE, at last."));

    const page = await store.list({ limit: 2, q: "needle" });
    const rest = await store.list({ limit: 2, q: "needle", cursor: page.nextCursor ?? "" });

    expect([page, rest].map(({ sessions }) => sessions.map(({ id }) => id))).toEqual([[third, second], [first]]);
    expect(page.matches).toMatchObject({ [third]: { text: "A NEEDLE, at last.", marks: [[2, 8]] } });
    expect(page.matches?.[second]).toBeUndefined();
    await store.remove(third);
    expect((await store.list({ limit: 9, q: "at last" })).sessions).toEqual([]);
  });

  it("loses no change when many come at once", async () => {
    const store = await open(await home());
    const { id } = await store.create(sessionWith());

    await Promise.all(
      Array.from({ length: 20 }, () => store.update(id, (current) => ({ ...current, messageCount: current.messageCount + 1 }))),
    );

    expect((await store.get(id))?.messageCount).toBe(20);
  });

  it("changes nothing when a change is refused", async () => {
    const store = await open(await home());
    const { id } = await store.create(sessionWith({ name: "Before" }));

    const refused = store.update(id, () => {
      throw new Error("no");
    });

    await expect(refused).rejects.toThrow("no");
    expect((await store.get(id))?.name).toBe("Before");
  });

  it("gives messages newest page first and oldest first inside, across a restart", async () => {
    const layout = await home();
    const store = await open(layout);
    const { id } = await store.create(sessionWith());
    const sent = ["one", "two", "three", "four", "five"].map(message);
    for (const each of sent) await store.appendMessage(id, each);

    const again = await open(layout);
    const newest = await again.messages(id, { limit: 2 });
    const older = await again.messages(id, { limit: 2, cursor: newest.nextCursor ?? "" });
    const oldest = await again.messages(id, { limit: 2, cursor: older.nextCursor ?? "" });

    expect([newest.messages, older.messages, oldest.messages]).toEqual([sent.slice(3), sent.slice(1, 3), sent.slice(0, 1)]);
    expect(oldest.nextCursor).toBeNull();
  });

  it("leaves a broken line of the history out, says so, and keeps it in the file", async () => {
    const layout = await home();
    const problems: unknown[] = [];
    const store = await open(layout, { onProblem: (error) => problems.push(error) });
    const { id } = await store.create(sessionWith());
    await store.appendMessage(id, message("before"));
    await appendFile(layout.session(id).messages, '{"role":"nonsense"}\n{"id":"msg_torn');
    await store.appendMessage(id, message("after"));

    const { messages } = await store.messages(id, { limit: 10 });

    expect(messages.map(({ blocks }) => blocks[0])).toMatchObject([{ text: "before" }, { text: "after" }]);
    expect(problems.length).toBeGreaterThanOrEqual(1);
    expect(await readFile(layout.session(id).messages, "utf8")).toContain("nonsense");
  });

  it("shows a record that somebody broke as one session in error, and never writes over it (REQ-GH1-23)", async () => {
    const layout = await home();
    const store = await open(layout);
    const { id } = await store.create(sessionWith());
    await store.create(sessionWith({ name: "Healthy" }));
    await writeFile(layout.session(id).record, "{ broken by hand");

    const found = await store.get(id);

    expect(found).toMatchObject({ status: "error", error: { code: "file_broken" } });
    expect(found?.error?.message).toContain("session.json");
    expect((await store.list({ limit: 9 })).sessions.map(({ status }) => status).toSorted()).toEqual(["error", "idle"]);
    await expect(store.update(id, (current) => current)).rejects.toMatchObject({ code: "file_broken" });
    expect(await readFile(layout.session(id).record, "utf8")).toBe("{ broken by hand");
  });

  it("shows a session whose record is gone while its messages are still there, and lets it be deleted", async () => {
    const layout = await home();
    const store = await open(layout);
    const { id } = await store.create(sessionWith());
    await store.appendMessage(id, message("still here"));
    await store.settled();

    await rm(layout.session(id).record);
    const found = await store.get(id);

    expect(found).toMatchObject({ status: "error", error: { code: "file_broken" } });
    expect((await store.list({ limit: 9 })).sessions).toEqual([found]);
    expect((await store.messages(id, { limit: 9 })).messages.length).toBe(1);
    await expect(store.update(id, (current) => current)).rejects.toMatchObject({ code: "file_broken" });
    await store.remove(id);
    expect((await store.list({ limit: 9 })).sessions).toEqual([]);
  });

  it("shows every other session although one record is a folder, a circle of links, closed or of a newer hall", async () => {
    const layout = await home();
    const first = await open(layout);
    const made = await Promise.all(Array.from({ length: 8 }, () => first.create(sessionWith())));
    await first.close();
    await rm(layout.index, { recursive: true });
    const [folder, circle, closed, newer] = made.map(({ id }) => layout.session(id).record);
    for (const path of [folder, circle]) await rm(path ?? "");
    await mkdir(folder ?? "");
    await symlink("session.json", circle ?? "");
    await chmod(closed ?? "", process.getuid?.() === 0 ? 0o600 : 0o000);
    await writeFile(newer ?? "", JSON.stringify({ version: 99, ...made[3] }));

    const store = await open(layout);
    await store.settled();

    const { sessions, counts } = await store.list({ limit: 9 });
    expect(counts).not.toBeNull();
    expect(sessions.map(({ id }) => id).toSorted()).toEqual(made.map(({ id }) => id).toSorted());
    expect(sessions.filter(({ status }) => status === "error").length).toBe(process.getuid?.() === 0 ? 3 : 4);
    for (const { id } of sessions) await expect(store.get(id)).resolves.toMatchObject({ id });
  });

  it("lists what kind each one is, also after another start", async () => {
    const layout = await home();
    const store = await openSessionStore({ layout });
    const { id } = await store.create(sessionWith({ kind: "meeting" }));
    await store.settled();
    await store.close();

    const again = await open(layout);

    expect((await again.list({ limit: 1 })).sessions).toMatchObject([{ id, kind: "meeting" }]);
    expect(await again.get(id)).toMatchObject({ kind: "meeting" });
  });

  it("starts from its snapshot whatever characters a name holds", async () => {
    const layout = await home();
    const first = await open(layout);
    await first.settled();
    for (const name of ["a\u2028b", "a\r\nb", "a\u0085b"]) await first.create(sessionWith({ name }));
    await first.close();

    const store = await open(layout);

    const { sessions, counts } = await store.list({ limit: 9 });
    expect(counts).not.toBeNull();
    expect(sessions.length).toBe(3);
  });

  it("keeps messages in the order they were given, when many come at once", async () => {
    const store = await open(await home());
    const { id } = await store.create(sessionWith());
    const sent = Array.from({ length: 40 }, (_, number) => message(`${number} ${"x".repeat(20_000)}`));

    await Promise.all(sent.map((each) => store.appendMessage(id, each)));

    expect((await store.messages(id, { limit: 50 })).messages).toEqual(sent);
  });

  it("picks up what was edited by hand, in the list as soon as somebody looks", async () => {
    const layout = await home();
    const store = await open(layout);
    const made = await store.create(sessionWith({ name: "Before" }));
    await writeFile(layout.session(made.id).record, JSON.stringify({ version: 1, ...made, name: "Edited by hand" }));

    await store.get(made.id);

    expect((await store.list({ limit: 9 })).sessions.map(({ name }) => name)).toEqual(["Edited by hand"]);
  });

  it("tells at once of a hand edit in a session that somebody looks at, and what it is now", async () => {
    const layout = await home();
    const found: unknown[] = [];
    const store = await open(layout, { onFound: (id, status) => found.push([id, status]) });
    const made = await store.create(sessionWith({ name: "Before" }));
    await store.settled();
    await store.get(made.id);

    await writeFile(layout.session(made.id).record, JSON.stringify({ version: 1, ...made, name: "Edited", status: "completed" }));

    await expect.poll(() => found.at(-1)).toEqual([made.id, "completed"]);
    expect((await store.list({ limit: 9 })).sessions.map(({ name }) => name)).toEqual(["Edited"]);
  });

  it("notices hand edits in the last few of many sessions that were looked at", async () => {
    const layout = await home();
    const found: string[] = [];
    const store = await open(layout, { onFound: (id) => found.push(id) });
    const made = await Promise.all(Array.from({ length: 40 }, () => store.create(sessionWith())));
    await store.settled();
    for (const { id } of made) await store.get(id);
    const last = made.slice(-20);

    for (const each of last) await writeFile(layout.session(each.id).record, JSON.stringify({ version: 1, ...each, name: "Edited" }));

    await expect.poll(() => last.every(({ id }) => found.includes(id))).toBe(true);
  });

  it("does not tell of what it did itself", async () => {
    const found: string[] = [];
    const store = await open(await home(), { onFound: (id) => found.push(id) });
    await store.settled();

    for (let count = 0; count < 8; count += 1) {
      const { id } = await store.create(sessionWith());
      await store.get(id);
      await store.update(id, (current) => ({ ...current, messageCount: count }));
      await store.appendMessage(id, message("hello"));
      await store.remove(id);
    }
    await store.close();

    expect(found).toEqual([]);
  });

  it("removes a session whole, and finishes at the next start what a crash cut off", async () => {
    const layout = await home();
    const store = await open(layout);
    const { id } = await store.create(sessionWith());
    await mkdir(join(layout.sessions, `.deleted-${newSessionId()}`));
    await mkdir(join(layout.sessions, `.new-${newSessionId()}`));

    await store.remove(id);
    await open(layout);

    expect(await readdir(layout.sessions)).toEqual([]);
    expect(await store.get(id)).toBeNull();
    expect((await store.list({ limit: 9 })).sessions).toEqual([]);
    await expect(store.remove(id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("removes a session of which it may not remove every file, and says so, then and at the next start", async () => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o777);
    // Root may remove everything.
    const user = await ordinaryUser();

    const printed = await startProgram(new URL("session-remover.testing.ts", import.meta.url), [folder], { user }).line();

    const notAllowed = expect.stringMatching(/\.deleted-ses_\w+ cannot be used: this user is not allowed to/) as string;
    expect(JSON.parse(printed)).toEqual({ left: null, sessions: [], problems: [notAllowed, notAllowed] });
  });

  it("forgets a session whose folder somebody deleted", async () => {
    const layout = await home();
    const found: string[] = [];
    const store = await open(layout, { onFound: (id) => found.push(id) });
    const { id } = await store.create(sessionWith());
    await store.settled();

    await rm(layout.session(id).folder, { recursive: true });

    await expect.poll(async () => (await store.list({ limit: 9 })).sessions).toEqual([]);
    expect(found).toContain(id);
  });
});
