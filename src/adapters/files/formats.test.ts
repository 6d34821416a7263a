import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { EngineJobId, MemberName, SessionId } from "../../schema/ids.ts";
import { JobId } from "../../schema/job.ts";
import { Message } from "../../schema/session.ts";
import { StoredSession } from "./session-files.ts";
import { SessionEvent } from "../../schema/session-event.ts";
import { ToolCall } from "../../schema/tool-call.ts";
import { childRecord } from "./child-records.ts";
import { defineDocument } from "./document.ts";
import { cancelDocument, endDocument, jobDocument, leaseDocument } from "./engine/job-documents.ts";
import { HallRecord } from "./hall-record.ts";
import { jobRecordDocument } from "./job-records.ts";
import { createLayout } from "./layout.ts";
import { acceptedToolsDocument } from "./members/accepted-tools.ts";
import { bundledDocument } from "./members/bundled-stamps.ts";
import { memberRecord } from "./members/member-records.ts";
import { parseManifest } from "./members/manifest-file.ts";
import { savedCallsDocument } from "./members/saved-calls.ts";
import { queueDocument } from "./message-queue.ts";
import { parseJsonLines } from "./read-json-lines.ts";
import { limitDocument, spendingDocument, SpendingLine } from "./spending.ts";

const text = await readFile(join(import.meta.dirname, "../../../docs/formats.md"), "utf8");
const examples = [...text.matchAll(/```json\n(.+?)```/gs)].map(([, json]) => json ?? "");
const [manifest, bundled, running, accepted, call, saved, session, message, queue, ...rest] = examples;
const [hall, agent, progress, job, lease, cancel, end, cost, days, dayLimit, jobRecord, ...more] = rest;

describe("docs/formats.md", () => {
  it("names every path of a home", () => {
    const layout = createLayout("");
    const session = layout.session(SessionId.parse("ses_01k2m3n4p5q6r7s8t9v0w1x2y3"));
    const id = EngineJobId.parse("id");
    const { job, lease, cancel, end } = layout.engine;
    const name = MemberName.parse("name");
    const jobRecord = layout.jobRecord(name, JobId.parse("jobId")).replace("jobId", "<jobId>");
    const ofOneThing = [jobRecord, job(id), lease(id, 1), cancel(id), end(id), layout.memberState(name), layout.acceptedToolsOf(name)];
    const homes = dirname(layout.memberHome(name));

    const names = [...stringsIn(layout), ...stringsIn(session), ...ofOneThing, homes].map((path) =>
      basename(path).replace(/^(id|name)\./, "<$1>."),
    );

    expect(names.filter((name) => !text.includes(name) && name !== basename(session.folder))).toEqual([]);
  });

  it.each([
    ["which members the hall brought", bundled, bundledDocument],
    ["a running member", running, memberRecord],
    ["accepted tools", accepted, acceptedToolsDocument],
    ["saved calls", saved, savedCallsDocument],
    ["a session", session, defineDocument(StoredSession.strict())],
    ["messages that wait", queue, queueDocument],
    ["the running hall", hall, defineDocument(HallRecord.strict())],
    ["an agent process", agent, childRecord],
    ["a job", job, jobDocument],
    ["a lease", lease, leaseDocument],
    ["a wish to cancel", cancel, cancelDocument],
    ["an end", end, endDocument],
    ["what days cost", days, spendingDocument],
    ["the limit of a day", dayLimit, limitDocument],
    ["what people said about a job", jobRecord, jobRecordDocument],
  ])("shows %s as it is read", (_what, example = "", kind) => {
    const read = kind.parse(example, "docs/formats.md");

    expect({ version: kind.version, ...read }).toEqual(JSON.parse(example));
  });

  it("shows the mark of a running member as it is made: its name, and what nobody can guess", () => {
    const { mark } = memberRecord.parse(running ?? "", "docs/formats.md");

    expect(mark).toMatch(/^[a-z0-9-]+:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  it("shows a manifest as it is read (REQ-GH1-24)", () => {
    const read = parseManifest(manifest ?? "", "guild-members/researcher/guild-member.json");

    expect(read).toEqual({ manifest: JSON.parse(manifest ?? "") as unknown, problem: null });
  });

  it.each([
    ["a call", call, ToolCall.strict()],
    ["a message", message, Message.strict()],
    ["what a query says", progress, SessionEvent],
    ["what a query cost", cost, SpendingLine],
  ])("shows the line of %s as it is read", (_what, example = "", schema) => {
    const line = Buffer.from(JSON.stringify(JSON.parse(example)));

    const { entries } = parseJsonLines<object>(line, schema);

    expect(entries).toEqual([{ line: 1, value: JSON.parse(example) as unknown }]);
  });

  it("shows nothing that no test here reads", () => {
    expect(more).toEqual([]);
  });
});

/** Every text in it, however deep. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
