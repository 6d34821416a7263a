import { useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import { sessionJson, sessionMarkdown } from "../../client/session-document.ts";
import { readWhole } from "../../client/session-history.ts";
import type { SessionId } from "../../schema/ids.ts";
import { downloadText } from "./download.ts";
import { sentenceOf } from "../format/sentence-of.ts";

/** Hands a session with all that was said to the person as a file. */
export function useSessionExport(id: SessionId, onFailure: (sentence: string) => void) {
  const [isBusy, setIsBusy] = useState(false);
  const save = async (format: "md" | "json"): Promise<void> => {
    setIsBusy(true);
    try {
      const { session, messages } = await readWhole(createHallClient({ baseUrl: "" }).sessions, id);
      let text = "";
      const all = format === "json" ? sessionJson(session, messages, JSON.stringify) : sessionMarkdown(session, messages, asItIs);
      for await (const piece of all) text += piece;
      downloadText(text, `${fileNameOf(session.name)}.${format}`);
    } catch (error) {
      onFailure(sentenceOf(error, "read"));
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, save };
}

const asItIs = (text: string): string => text;

/** Letters and digits of a name that may be anything. */
const fileNameOf = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 80) || "session";
