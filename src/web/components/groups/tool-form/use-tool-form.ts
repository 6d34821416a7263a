import { useEffect, useEffectEvent, useMemo, useReducer, useRef } from "react";
import type { Issue } from "../../../tool-form/issue.ts";
import { useAfterPress } from "../../../live/use-after-press.ts";
import { createChecker } from "../../../tool-form/checker.ts";
import type { Checker } from "../../../tool-form/checker.ts";
import { createFormReducer } from "../../../tool-form/form-state.ts";
import type { FormAction, FormState } from "../../../tool-form/form-state.ts";
import type { JsonObject } from "../../../tool-form/json.ts";
import { createSchemaReader } from "../../../tool-form/read-schema.ts";
import type { ReadSchema } from "../../../tool-form/read-schema.ts";

export type ToolFormHandle = {
  read: ReadSchema;
  schema: JsonObject;
  state: FormState;
  dispatch: (action: FormAction) => void;
  /** For what changes the page on its own account: it waits until no button is pressed. */
  calmly: (action: () => void) => void;
  /** What stands in the way of a run, of the input as it is now. */
  check: () => Promise<readonly Issue[]>;
};

/** While somebody types, checking waits for a pause. */
const pauseMs = 120;

/** A tool's input in the making, checked beside the page. */
export function useToolForm(schema: JsonObject): ToolFormHandle {
  const read = useMemo(() => createSchemaReader(schema), [schema]);
  const { reduce, begin } = useMemo(() => createFormReducer(read, schema), [read, schema]);
  const [state, dispatch] = useReducer(reduce, undefined, begin);
  const calmly = useAfterPress();
  const checker = useRef<Checker>(null);
  const { input, choices } = state;

  useEffect(() => {
    const opened = createChecker({ openWorker: () => new Worker(new URL("../../../tool-form/check-worker.ts", import.meta.url)) });
    checker.current = opened;
    return () => opened.close();
  }, []);

  const check = useEffectEvent(async () => (await checker.current?.check({ schema, input, choices })) ?? []);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => void check().then((issues) => calmly(() => isCurrent && dispatch({ type: "found", issues }))), pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [schema, input, choices, calmly]);

  const checkNow = async () => {
    const issues = (await checker.current?.check({ schema, input, choices })) ?? [];
    dispatch({ type: "found", issues });
    return issues;
  };
  return { read, schema, state, dispatch, calmly, check: checkNow };
}
