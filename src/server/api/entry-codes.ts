import { EntryCode } from "../../schema/entry-code.ts";
import type { EntryCodes } from "../entry-codes.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";

export function entryCodeRoute(codes: EntryCodes): Route {
  return defineRoute({
    method: "POST",
    path: "/api/entry-codes",
    summary: "Make a one-time code that lets a browser decide for the person: open `/open?code=…` with it",
    needsPerson: true,
    answer: { status: 201, schema: EntryCode },
    handle: async () => codes.mint(),
  });
}
