import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { EngineJobId, MemberName, SessionId } from "../../schema/ids.ts";
import { Message, Session } from "../../schema/session.ts";
import { defineDocument } from "./document.ts";
import { cancelDocument, endDocument, jobDocument, leaseDocument } from "./engine/job-documents.ts";
import { HallRecord } from "./home-lock.ts";
import { createLayout } from "./layout.ts";
import { ProcessIdentity } from "./process-identity.ts";
import { parseJsonLines } from "./read-json-lines.ts";
import { limitDocument, spendingDocument, SpendingLine } from "./spending.ts";

const text = await readFile(join(import.meta.dirname, "../../../docs/formats.md"), "utf8");
const examples = [...text.matchAll(/```json\n(.+?)```/gs)].map(([, json]) => json ?? "");

describe("docs/formats.md", () => {
  it("names every path of a home", () => {
    const layout = createLayout("");
    const session = layout.session(SessionId.parse("ses_01k2m3n4p5q6r7s8t9v0w1x2y3"));
    const id = EngineJobId.parse("id");
    const { job, lease, cancel, end } = layout.queries;
    const ofOneThing = [job(id), lease(id, 1), cancel(id), end(id), layout.memberState(MemberName.parse("name"))];

    const names = [...stringsIn(layout), ...stringsIn(session), ...ofOneThing].map((path) =>
      basename(path).replace(/^(id|name)\./, "<$1>."),
    );

    expect(names.filter((name) => !text.includes(name) && name !== basename(session.folder))).toEqual([]);
  });

  it.each([
    ["a session", 0, defineDocument(Session.strict())],
    ["the running hall", 2, defineDocument(HallRecord.strict())],
    ["an agent process", 3, defineDocument(z.strictObject({ process: ProcessIdentity }))],
    ["a job", 4, jobDocument],
    ["a lease", 5, leaseDocument],
    ["a wish to cancel", 6, cancelDocument],
    ["an end", 7, endDocument],
    ["what days cost", 9, spendingDocument],
    ["the limit of a day", 10, limitDocument],
  ])("shows %s as it is read", (_what, place, kind) => {
    const example = examples[place] ?? "";

    const read = kind.parse(example, "docs/formats.md");

    expect({ version: kind.version, ...read }).toEqual(JSON.parse(example));
  });

  it.each([
    ["a message", 1, Message.strict()],
    ["what a query cost", 8, SpendingLine.strict()],
  ])("shows %s as it is read", (_what, place, schema) => {
    const example: unknown = JSON.parse(examples[place] ?? "");

    const { entries } = parseJsonLines<unknown>(Buffer.from(JSON.stringify(example)), schema);

    expect(entries).toEqual([{ line: 1, value: example }]);
    expect(examples).toHaveLength(11);
  });
});

/** Every text in it, however deep. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
