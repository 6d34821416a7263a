import { HallError } from "../../../schema/hall-error.ts";
import type { ToolCallId } from "../../../schema/ids.ts";
import { ToolCall } from "../../../schema/tool-call.ts";
import { appendJsonLines, keepBrokenLines } from "../append-json-lines.ts";
import type { Disk } from "../disk.ts";
import { writeFileDurably } from "../durable-write.ts";
import type { Layout } from "../layout.ts";
import { brokenLines, readJsonLines, tornLine } from "../read-json-lines.ts";
import type { BrokenLine } from "../read-json-lines.ts";

/** Calls are never cut short, since they are there to be made again: a few large ones push out many small ones. */
const mostCalls = 500;
const mostBytes = 8 * 1024 * 1024;

type Kept = { call: ToolCall; bytes: number };

/** The calls people made, oldest first, in memory and as lines of a file. One after the other: its caller sees to that. */
export function createCallHistory({ layout, onProblem, on }: { layout: Layout; onProblem: (error: unknown) => void; on: Disk }) {
  const { toolCalls: path, brokenToolCalls } = layout;
  let kept: Kept[] | null = null;
  /** What the file has beyond what is kept: calls that are too old, and lines that are no calls. */
  let surplus = { lines: 0, bytes: 0 };
  let broken: BrokenLine[] = [];

  async function load(): Promise<Kept[]> {
    if (kept !== null) return kept;
    const { entries, torn } = await readJsonLines(path, ToolCall);
    if (torn !== null) onProblem(tornLine(path, torn));
    const calls = entries.flatMap((entry) => ("value" in entry ? [measured(entry.value)] : []));
    broken = brokenLines(entries);
    for (const { line, problem } of broken.slice(0, 1))
      onProblem(new HallError("file_broken", `${path} line ${line} ${problem}. It is left out, and kept in ${brokenToolCalls}.`));
    kept = newest(calls);
    surplus = { lines: entries.length - kept.length, bytes: sizeOf(calls) - sizeOf(kept) };
    return kept;
  }

  /** Lines that are no calls are kept aside: somebody may want to mend them. */
  async function rewrite(calls: Kept[]): Promise<void> {
    await keepBrokenLines(brokenToolCalls, broken, on);
    broken = [];
    await writeFileDurably(path, calls.map(({ call }) => `${JSON.stringify(call)}\n`).join(""), on);
    [kept, surplus] = [calls, { lines: 0, bytes: 0 }];
  }

  return {
    read: async (): Promise<ToolCall[]> => (await load()).map(({ call }) => call),

    async add(call: ToolCall): Promise<void> {
      const before = await load();
      // A call that was made matters more than its record, so nobody waits for the disk.
      await appendJsonLines(path, [call], { durable: false }, on);
      const all = [...before, measured(call)];
      kept = newest(all);
      surplus = { lines: surplus.lines + all.length - kept.length, bytes: surplus.bytes + sizeOf(all) - sizeOf(kept) };
      if (surplus.lines > mostCalls || surplus.bytes > mostBytes) await rewrite(kept);
    },

    async remove(id: ToolCallId): Promise<boolean> {
      const calls = await load();
      const left = calls.filter(({ call }) => call.id !== id);
      if (left.length === calls.length) return false;
      await rewrite(left);
      return true;
    },
  };
}

const measured = (call: ToolCall): Kept => ({ call, bytes: Buffer.byteLength(JSON.stringify(call)) });

const sizeOf = (calls: readonly Kept[]): number => calls.reduce((sum, { bytes }) => sum + bytes, 0);

/** As many of the last ones as there is room for. */
function newest(calls: readonly Kept[]): Kept[] {
  let bytes = 0;
  const tooOld = calls.findLastIndex((each) => (bytes += each.bytes) > mostBytes);
  return calls.slice(Math.max(tooOld + 1, calls.length - mostCalls));
}
