import { describe, expect, it, onTestFinished, vi } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import { createContextEditor } from "./context-editor.ts";
import { hasChanges } from "./context-state.ts";
import type { ContextDraft, ContextFile } from "./context-state.ts";

describe("editing a context file", () => {
  it("keeps what is typed while the file is being read", async () => {
    const { editor, disk } = edit("a\n\nb\n");
    await editor.refresh();

    const reading = editor.refresh();
    editor.type("a\n\nb, typed\n", editor.state().text);
    disk.text = "a, elsewhere\n\nb\n";
    await reading;
    await editor.saveNow();

    expect(editor.state().text).toBe("a, elsewhere\n\nb, typed\n");
    expect(disk.text).toBe("a, elsewhere\n\nb, typed\n");
  });

  it("does not undo what came in when a key is pressed before it is drawn", async () => {
    const { editor, disk } = edit("a\n\nb\n");
    await editor.refresh();
    editor.type("a, m\n\nb\n", "a\n\nb\n");
    disk.text = "a\n\nb, theirs\n";
    await editor.refresh();

    editor.type("a, mi\n\nb\n", "a, m\n\nb\n");
    await editor.saveNow();

    expect(disk.text).toBe("a, mi\n\nb, theirs\n");
  });

  it("keeps both where a key is pressed in a line that was taken in and is not drawn", async () => {
    const { editor, disk } = edit("a\n");
    await editor.refresh();
    disk.text = "theirs\n";
    await editor.refresh();

    editor.type("ab\n", "a\n");
    await editor.saveNow();

    expect(disk.text).toBe("ab\ntheirs\n");
  });

  it("saves once more what was typed while it saved", async () => {
    const { editor, disk } = edit("a\n");
    await editor.refresh();
    editor.type("ab\n", editor.state().text);

    const saving = editor.saveNow();
    editor.type("abc\n", editor.state().text);
    await saving;

    expect(disk.text).toBe("abc\n");
    expect(hasChanges(editor.state())).toBe(false);
  });

  it("puts both together where somebody else was faster, and saves that", async () => {
    const { editor, disk } = edit("a\n\nb\n");
    await editor.refresh();
    disk.text = "a\n\nb, theirs\n";

    editor.type("a, mine\n\nb\n", editor.state().text);
    await editor.saveNow();

    expect(disk.text).toBe("a, mine\n\nb, theirs\n");
    expect(editor.state()).toMatchObject({ text: disk.text, theirs: null, failure: null });
  });

  it("saves nothing where both changed the same lines, until somebody has chosen", async () => {
    const { editor, disk } = edit("a\n");
    await editor.refresh();
    disk.text = "theirs\n";
    editor.type("mine\n", editor.state().text);
    await editor.saveNow();

    expect(disk.text).toBe("theirs\n");
    expect(editor.state()).toMatchObject({ text: "mine\n", theirs: { text: "theirs\n" } });
    await editor.choose(["mine"]);

    expect(disk.text).toBe("mine\n");
    expect(editor.state().theirs).toBeNull();
  });

  it("has no conflict any more when both have come to say the same", async () => {
    const { editor, disk } = edit("a\n");
    await editor.refresh();
    disk.text = "theirs\n";
    editor.type("mine\n", editor.state().text);
    await editor.saveNow();

    disk.text = "mine\n";
    await editor.refresh();

    expect(editor.state()).toMatchObject({ text: "mine\n", theirs: null });
    expect(hasChanges(editor.state())).toBe(false);
  });

  it("keeps what could not be saved, and saves it when it can", async () => {
    const { editor, disk, drafts } = edit("a\n");
    await editor.refresh();
    disk.failure = new HallError("hall_unreachable", "No hall answers.");
    editor.type("mine\n", editor.state().text);
    await editor.saveNow();

    expect(editor.state().failure).not.toBeNull();
    expect(drafts.kept).toMatchObject({ text: "mine\n", base: { text: "a\n" } });
    disk.failure = null;
    await editor.refresh();

    expect(disk.text).toBe("mine\n");
    expect(drafts.kept).toBeNull();
  });

  it("takes up a draft and puts it on what the file says now", async () => {
    const { editor, disk } = edit("a\n\nb, theirs\n", { base: { text: "a\n\nb\n", etag: "old" }, text: "a, mine\n\nb\n" });

    await editor.refresh();

    expect(disk.text).toBe("a, mine\n\nb, theirs\n");
  });

  it("saves after a pause in the writing, and what is left when it closes", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { editor, disk } = edit("a\n");
    await editor.refresh();

    editor.type("first\n", editor.state().text);
    await vi.advanceTimersByTimeAsync(1000);
    const afterPause = disk.text;
    editor.type("last\n", editor.state().text);
    await editor.close();

    expect(afterPause).toBe("first\n");
    expect(disk.text).toBe("last\n");
  });

  it("writes the line ends that the file has", async () => {
    const { editor, disk } = edit("a\r\nb\r\n");
    await editor.refresh();

    editor.type("a\nb, mine\n", editor.state().text);
    await editor.saveNow();

    expect(disk.text).toBe("a\r\nb, mine\r\n");
  });
});

/** A file whose name is its content, and an editor on it. Every access takes a turn of the event loop. */
function edit(text: string, draft: ContextDraft | null = null) {
  const disk: { text: string; failure: Error | null } = { text, failure: null };
  const drafts = { kept: draft };
  const answer = async (): Promise<ContextFile> => {
    await Promise.resolve();
    if (disk.failure !== null) throw disk.failure;
    return { text: disk.text, etag: disk.text };
  };
  const editor = createContextEditor({
    read: answer,
    async write(next, etag) {
      const present = await answer();
      if (present.etag !== etag) throw new HallError("precondition_failed", "It has changed since.");
      disk.text = next;
      return { etag: next };
    },
    drafts: { get: () => drafts.kept, keep: (kept) => void (drafts.kept = kept) },
    now: () => "2026-01-01T00:00:00.000Z",
    onState: () => {},
  });
  return { editor, disk, drafts };
}
