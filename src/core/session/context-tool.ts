import { z } from "zod";
import { ContextSection } from "../../schema/context.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { SessionId } from "../../schema/ids.ts";
import type { Tool, ToolResult, ToolServer } from "../agent/agent-run.ts";
import { appendToSection, findSection, replaceSection, sectionText, titleOf } from "./context-sections.ts";
import type { ContextStore } from "./context-store.ts";

type ContextToolDeps = {
  store: ContextStore;
  sessionId: SessionId;
  /** The beginning of the file that the agent was shown; null where it was shown none of it. */
  shown: { text: string; length: number } | null;
  /** Called after each change, when it is on the disk. */
  onChanged: () => void;
};

/** What the hall itself offers to the agent of one query: to keep the context file up to date, without undoing what the person wrote. */
export function createContextTool(deps: ContextToolDeps): ToolServer {
  const seen = sectionsSeen(deps.shown);

  const update: Tool["call"] = async (input) => {
    const { section, content, mode } = UpdateContext.parse(input);
    for (let attempt = 1; ; attempt += 1) {
      const { text, etag } = await deps.store.read(deps.sessionId);
      const present = sectionText(text, section);
      if (mode === "replace" && !isSeen(section, present)) return refuse(section, present);
      const next = mode === "replace" ? replaceSection(text, section, content) : appendToSection(text, section, content);
      const isWritten = next === text || (await wrote(next, etag, attempt));
      if (isWritten) return accept(section, sectionText(next, section) ?? "");
    }
  };

  /** False where somebody saved the file in between, and it is to be looked at again. */
  async function wrote(text: string, etag: string, attempt: number): Promise<boolean> {
    try {
      await deps.store.write(deps.sessionId, text, { ifMatch: etag });
      deps.onChanged();
      return true;
    } catch (error) {
      if (error instanceof HallError && error.code === "precondition_failed" && attempt < mostAttempts) return false;
      throw error;
    }
  }

  const isSeen = (section: ContextSection, present: string | null): boolean => seen.has(section) && seen.get(section) === present;

  function refuse(section: ContextSection, present: string | null): ToolResult {
    const title = titleOf(section);
    if (present === null) {
      seen.set(section, null);
      return failure(`The person removed the section "${title}" since you saw it. Nothing was written. Call again if it should be there.`);
    }
    if (present.length > mostShown) {
      const room = `it has ${present.length} characters, and ${mostShown} can be shown to you`;
      return failure(
        `"${title}" is too long to be replaced without losing something: ${room}. Append to it, or ask the person to shorten it.`,
      );
    }
    seen.set(section, present);
    return failure(
      `"${title}" is not what you last saw: the person changed it. Nothing was written. It now says:\n\n${present.trim()}\n\nKeep what the person wrote, put your change into it, and call again.`,
    );
  }

  /** The agent is told how the section stands, which may include what the person wrote in the meantime. */
  function accept(section: ContextSection, present: string): ToolResult {
    if (present.length > mostShown) seen.delete(section);
    else seen.set(section, present);
    const shown = present.length > mostShown ? `has ${present.length} characters now` : `now says:\n\n${present.trim() || "(nothing)"}`;
    return { content: [{ type: "text", text: `Written. "${titleOf(section)}" ${shown}` }] };
  }

  return {
    name: "guild_hall",
    tools: [{ name: "update_context", description, inputSchema, call: update }],
  };
}

const mostShown = 32_000;

/** A person cannot save this often while a file is written; whoever does is a program. */
const mostAttempts = 10;

const description =
  "Keeps the session's context file up to date: what the work is for, what was decided, what is in progress, which resources matter. " +
  "The person reads and edits the same file. Replace a section to rewrite it without what is stale, or append to add to it. " +
  "If the person changed a section since you saw it, nothing is written and you are shown what it says now.";

const UpdateContext = z.object({
  section: ContextSection.describe("goal, decisions, in_progress or resources"),
  content: z.string().max(100_000).describe("Markdown, without the section's own heading. Empty clears the section."),
  mode: z
    .enum(["replace", "append"])
    .default("replace")
    .describe("replace: this is the whole section from now on. append: add this below what is there, for instance a decision."),
});

const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(UpdateContext, { io: "input" });

/** A section that was cut off, or never shown, is one the agent has not seen. */
function sectionsSeen(shown: ContextToolDeps["shown"]): Map<ContextSection, string | null> {
  const seen = new Map<ContextSection, string | null>();
  if (shown === null) return seen;
  for (const section of ContextSection.options) {
    const span = findSection(shown.text, section);
    if (shown.length >= shown.text.length || (span !== null && span.end <= shown.length))
      seen.set(section, sectionText(shown.text, section));
  }
  return seen;
}

const failure = (text: string): ToolResult => ({ content: [{ type: "text", text }], isError: true });
