import type { Instrumentation } from "next";
import { pageFailureKey } from "../schema/hall-key.ts";
import type { LogPageFailure } from "../schema/hall-key.ts";

/** Called by Next for each page that could not be drawn. The hall's log is where a person looks for the reason. */
export const onRequestError: Instrumentation.onRequestError = (error, { path }) => {
  const log: unknown = Reflect.get(globalThis, pageFailureKey);
  if (isLog(log)) log({ error, path: path.replace(/\?.*/s, "") });
};

const isLog = (value: unknown): value is LogPageFailure => typeof value === "function";
