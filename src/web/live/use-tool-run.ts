import { useEffect, useRef, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { ToolAnswer } from "../../schema/tool.ts";
import type { InvokeTool } from "../../schema/tool-call.ts";

/** How the last call of this pane stands. */
export type ToolRun =
  | { state: "none" }
  | { state: "running"; at: string }
  | { state: "answered"; at: string; answer: ToolAnswer }
  | { state: "stopped"; at: string; afterMs: number }
  | { state: "failed"; at: string; failure: unknown };

export type ToolRunHandle = { run: ToolRun; start: (call: InvokeTool) => Promise<ToolRun>; stop: () => void };

/** Makes one call at a time. Leaving the page cancels it, as the hall does for whoever goes away. */
export function useToolRun(): ToolRunHandle {
  const [run, setRun] = useState<ToolRun>({ state: "none" });
  const underWay = useRef<AbortController>(null);
  useEffect(() => () => underWay.current?.abort(), []);

  const start = async (call: InvokeTool): Promise<ToolRun> => {
    const controller = new AbortController();
    underWay.current = controller;
    const at = new Date().toISOString();
    const began = performance.now();
    setRun({ state: "running", at });
    const ended = await createHallClient({ baseUrl: "" })
      .tools.invoke(call, controller.signal)
      .then(
        (answer): ToolRun => ({ state: "answered", at, answer }),
        (failure: unknown): ToolRun =>
          controller.signal.aborted ? { state: "stopped", at, afterMs: performance.now() - began } : { state: "failed", at, failure },
      );
    if (underWay.current === controller) underWay.current = null;
    setRun(ended);
    return ended;
  };
  return { run, start, stop: () => underWay.current?.abort() };
}
