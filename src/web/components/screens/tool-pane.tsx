"use client";

import { useRef, useState } from "react";
import { MemberName } from "../../../schema/ids.ts";
import type { Member, MemberTool } from "../../../schema/roster.ts";
import type { ToolCall } from "../../../schema/tool-call.ts";
import { useHotkeys } from "../../live/hotkeys.ts";
import type { JsonObject } from "../../tool-form/json.ts";
import { textProblem } from "../../tool-form/form-state.ts";
import { problemsOf, toldProblems } from "../../tool-form/problems.ts";
import { refusedIssues } from "../../tool-form/refused-issues.ts";
import { useShell } from "../groups/shell-context.ts";
import { CopyAsCommand } from "../groups/tool-form/copy-as-command.tsx";
import { RunRow } from "../groups/tool-form/run-row.tsx";
import { ToolForm } from "../groups/tool-form/tool-form.tsx";
import { ToolHead } from "../groups/tool-form/tool-head.tsx";
import { useToolForm } from "../groups/tool-form/use-tool-form.ts";
import { useToolRun } from "../../live/use-tool-run.ts";
import { useToolCalls } from "../../live/use-tool-calls.ts";
import { SavedCalls } from "../groups/tool-history-saved.tsx";
import { ToolHistory } from "../groups/tool-history.tsx";
import { RunOutcome } from "../groups/tool-result/run-outcome.tsx";

/** One tool of a member, to be used by hand: its input, what it answered, and earlier calls. */
export function ToolPane({ member, tool }: { member: Member; tool: MemberTool }) {
  const { inputSchema } = useSameWhileUnchanged(tool);
  const form = useToolForm(inputSchema);
  const { state, dispatch } = form;
  const { run, start, stop } = useToolRun();
  const name = MemberName.parse(member.name);
  const { say } = useShell();
  const calls = useToolCalls(name, tool.name, (sentence) => say(sentence, "failed"));
  const [vainTries, setVainTries] = useState(0);
  const isRunning = run.state === "running";
  const isReadable = state.mode === "form" || textProblem(state.text) === null;

  /** From the press on: that something runs is drawn only a moment later. */
  const isUnderWay = useRef(false);
  const once = async (action: () => Promise<void>) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    await action().finally(() => {
      isUnderWay.current = false;
    });
  };
  const invoke = async (input: JsonObject) => {
    const ended = await start({ member: name, tool: tool.name, input: { ...input } });
    const refused = ended.state === "failed" ? refusedIssues(ended.failure) : [];
    if (refused.length > 0) {
      dispatch({ type: "refused", issues: refused });
      setVainTries((tries) => tries + 1);
    }
    calls.refresh();
  };
  const tryRun = async () => {
    dispatch({ type: "tried" });
    const found = await form.check();
    if (!isReadable || problemsOf({ ...state, found, refused: [] }).length > 0) return setVainTries((tries) => tries + 1);
    await invoke(state.input);
  };
  const save = async (saveAs: string): Promise<boolean> => {
    if (isReadable) return calls.save(saveAs, state.input);
    say("The JSON cannot be read yet, so nothing was saved. Fix it, then save.", "failed");
    return false;
  };
  const load = ({ input }: ToolCall) => dispatch({ type: "load", input });
  const runAgain = (call: ToolCall) =>
    void once(() => {
      load(call);
      return invoke(call.input);
    });
  const press = () => void once(tryRun);
  useHotkeys({ "Mod Enter": press, ...(isRunning ? { Escape: stop } : {}) });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-6 gap-y-8 column:grid-cols-[minmax(0,412px)_minmax(0,1fr)]">
      <section aria-labelledby="tool-name" className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <ToolHead tool={tool} mode={state.mode} onMode={(mode) => dispatch({ type: "show", mode })} />
        <ToolForm form={form} vainTries={vainTries} />
        <RunRow isRunning={isRunning} toFix={isReadable ? toldProblems(state).length : 1} onRun={press} onStop={stop} />
        <CopyAsCommand member={name} tool={tool.name} input={state.input} />
      </section>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <RunOutcome run={run} member={member} tool={tool.name} />
        <SavedCalls
          calls={calls.saved}
          deleted={calls.deleted}
          isRunning={isRunning}
          onSave={save}
          onRun={runAgain}
          onLoad={load}
          onDelete={(call) => void calls.remove(call)}
          onUndo={() => void calls.undo()}
        />
        <ToolHistory
          calls={calls.made}
          hasMore={calls.hasMore}
          isUnread={calls.isUnread}
          isRunning={isRunning}
          onMore={() => void calls.more()}
          onRun={runAgain}
          onLoad={load}
        />
      </div>
    </div>
  );
}

/** News about the member bring the same tool again and again; the form begins anew only where its definition changed. */
function useSameWhileUnchanged(tool: MemberTool): MemberTool {
  const [held, setHeld] = useState(tool);
  if (held.hash !== tool.hash) setHeld(tool);
  return held.hash === tool.hash ? held : tool;
}
