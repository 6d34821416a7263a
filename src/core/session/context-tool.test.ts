import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolContext } from "../agent/tool-context.testing.ts";
import { ContextSection } from "../../schema/context.ts";
import { HallError } from "../../schema/hall-error.ts";
import { newSessionId } from "../../schema/ids.ts";
import { findSection, initialContext, replaceSection, sectionText } from "./context-sections.ts";
import type { ContextStore } from "./context-store.ts";
import { openContext } from "./open-context.ts";

/** A file in memory; its content is its own etag. `between` is called once, when somebody has read it and is about to write. */
function createPage(text: string) {
  const page = { text, between: () => {} };
  const store: ContextStore = {
    read: async () => ({ text: page.text, etag: page.text }),
    async write(_id, next, { ifMatch } = {}) {
      page.between();
      page.between = () => {};
      if (ifMatch !== page.text) throw new HallError("precondition_failed", "changed", { details: { text: page.text, etag: page.text } });
      page.text = next;
      return { etag: next };
    },
  };
  return { page, store };
}

async function openFor(text: string) {
  const { page, store } = createPage(text);
  let changes = 0;
  const { toolServer } = await openContext({ store, sessionId: newSessionId(), onChanged: () => (changes += 1) });
  const update = async (section: ContextSection, content: string, mode: "replace" | "append" = "replace") => {
    const answer = await toolServer.tools[0]?.call({ section, content, mode }, toolContext());
    const said = answer?.content.map((each) => (each.type === "text" ? each.text : "")).join("") ?? "";
    return { isError: answer?.isError ?? false, said };
  };
  return { page, toolServer, update, changes: () => changes };
}

describe("the agent's tool for the context file", () => {
  it("replaces a section and says how it stands (REQ-GH1-32)", async () => {
    const { page, update, changes } = await openFor(initialContext("Work"));

    const answer = await update("in_progress", "- reading the parsers");

    expect(answer).toEqual({ isError: false, said: 'Written. "In progress" now says:\n\n- reading the parsers' });
    expect(sectionText(page.text, "in_progress")?.trim()).toBe("- reading the parsers");
    expect(changes()).toBe(1);
  });

  it("is offered under the hall's name, with a schema that says what it takes", async () => {
    const { toolServer } = await openFor("");

    expect(toolServer.name).toBe("guild_hall");
    expect(toolServer.tools.map(({ name }) => name)).toEqual(["update_context"]);
    expect(toolServer.tools[0]?.inputSchema).toMatchObject({ type: "object", required: ["section", "content"] });
  });

  it("merges with what the person does elsewhere in the file meanwhile (REQ-GH1-34)", async () => {
    const { page, update } = await openFor(initialContext("Work"));
    page.text = `${replaceSection(page.text, "goal", "The person's goal.")}\n## Mine\n\nkeep\n`;

    const answer = await update("decisions", "- one");

    expect(answer.isError).toBe(false);
    expect(page.text).toContain("The person's goal.");
    expect(page.text).toContain("- one");
    expect(page.text).toContain("## Mine\n\nkeep\n");
  });

  it("overwrites nothing it has not seen: it is shown the person's text and can then put both together", async () => {
    const { page, update, changes } = await openFor(replaceSection("", "goal", "Old."));
    page.text = replaceSection(page.text, "goal", "The person's goal.");

    const first = await update("goal", "The agent's goal.");
    const second = await update("goal", "The person's goal, and the agent's.");

    expect(first).toMatchObject({ isError: true, said: expect.stringContaining("The person's goal.") as unknown });
    expect(second.isError).toBe(false);
    expect(page.text).toBe("## Goal\n\nThe person's goal, and the agent's.\n");
    expect(changes()).toBe(1);
  });

  it("tells that the person removed a section, once", async () => {
    const { page, update } = await openFor(replaceSection("", "goal", "Old."));
    page.text = "";

    const answers = [await update("goal", "New."), await update("goal", "New.")];

    expect(answers.map(({ isError }) => isError)).toEqual([true, false]);
    expect(page.text).toBe("## Goal\n\nNew.\n");
  });

  it("appends whatever the person wrote, and shows it", async () => {
    const { page, update } = await openFor(replaceSection("", "decisions", "- ours"));
    page.text = replaceSection(page.text, "decisions", "- the person's");

    const appended = await update("decisions", "- the agent's", "append");
    const replaced = await update("decisions", "- both");

    expect(appended).toMatchObject({ isError: false, said: expect.stringContaining("- the person's\n- the agent's") as unknown });
    expect(replaced.isError).toBe(false);
    expect(page.text).toBe("## Decisions\n\n- both\n");
  });

  it("looks again where the file is saved just before it writes", async () => {
    const { page, update } = await openFor(initialContext("Work"));
    page.between = () => (page.text = replaceSection(page.text, "goal", "Saved in between."));

    const elsewhere = await update("decisions", "- one");
    page.between = () => (page.text = replaceSection(page.text, "decisions", "- the person's"));
    const sameSection = await update("decisions", "- two");

    expect([elsewhere.isError, sameSection.isError]).toEqual([false, true]);
    expect(sectionText(page.text, "goal")?.trim()).toBe("Saved in between.");
    expect(sectionText(page.text, "decisions")?.trim()).toBe("- the person's");
  });

  it("does not replace what was too long to be shown", async () => {
    const long = replaceSection(`${"x".repeat(40_000)}\n`, "goal", "Hidden.");
    const { page, update } = await openFor(long);

    const unseen = await update("goal", "New.");
    const seen = await update("goal", "New.");
    page.text = replaceSection(page.text, "goal", "y".repeat(40_000));
    const tooLong = [await update("goal", "Newer."), await update("goal", "Newer.")];

    expect([unseen.isError, seen.isError, ...tooLong.map(({ isError }) => isError)]).toEqual([true, false, true, true]);
    expect(page.text).toContain("y".repeat(40_000));
  });

  it("fails in words for input that is none", async () => {
    const { update } = await openFor("");

    // The point is a section that does not exist.
    await expect(update("weather" as ContextSection, "x")).rejects.toThrow(/section/);
  });
});

const sections = fc.constantFrom(...ContextSection.options);
const words = fc.string({ unit: "grapheme", maxLength: 10 });
const line = fc.oneof(words, fc.constantFrom("## Notes", "## Goal", "# Top", "```", "- x", "### Goal"));
type Step =
  | { by: "agent"; section: ContextSection; lines: string[]; mode: "replace" | "append" }
  | { by: "person"; at: number; remove: number; lines: string[]; early: boolean };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    by: fc.constant("agent" as const),
    section: sections,
    lines: fc.array(line, { maxLength: 4 }),
    mode: fc.constantFrom("replace" as const, "append" as const),
  }),
  fc.record({
    by: fc.constant("person" as const),
    at: fc.nat(12),
    remove: fc.nat(2),
    lines: fc.array(line, { maxLength: 3 }),
    /** In the very moment the agent writes, rather than between two calls. */
    early: fc.boolean(),
  }),
);

it("loses nothing, in whatever order a person and an agent write (REQ-GH1-34)", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), fc.array(step, { maxLength: 12 }), async (first, steps) => {
      const { page, update } = await openFor(first.join("\n"));
      const lastShown = new Map(ContextSection.options.map((section) => [section, sectionText(page.text, section)]));
      const losses: (string | null)[] = [];

      for (const each of steps) {
        if (each.by === "person") {
          const save = () =>
            (page.text = page.text
              .split("\n")
              .toSpliced(each.at, each.remove, ...each.lines)
              .join("\n"));
          if (each.early) page.between = save;
          else save();
          continue;
        }
        const { section, mode } = each;
        let before = page.text;
        const meanwhile = page.between;
        page.between = () => {
          meanwhile();
          before = page.text;
        };
        const { isError } = await update(section, each.lines.join("\n"), mode);
        page.between = () => {};
        losses.push(lossBetween(before, page.text, { section, mode, isError, shown: lastShown.get(section) ?? null }));
        lastShown.set(section, sectionText(page.text, section));
      }

      expect(losses.filter((loss) => loss !== null)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

type Update = { section: ContextSection; mode: "replace" | "append"; isError: boolean; shown: string | null };

/** What an update took away that it should not have; null where it behaved. */
function lossBetween(before: string, after: string, { section, mode, isError, shown }: Update): string | null {
  if (after === before) return null;
  if (isError) return "it wrote although it said that it did not";
  const { start, end } = findSection(before, section) ?? { start: before.length, end: before.length };
  if (!after.startsWith(before.slice(0, start)) || !after.endsWith(before.slice(end))) return "text outside of the section";
  const present = sectionText(before, section);
  if (mode === "append") return after.includes((present ?? "").trimEnd()) ? null : "text it was to add to";
  return present === shown ? null : "text that it had not seen";
}
