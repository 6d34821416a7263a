"use client";

import { useState } from "react";
import type { WaitingFor } from "../../../schema/run.ts";
import type { Message } from "../../../schema/session.ts";
import type { NearLimit } from "../../live/session-view.ts";
import { sentencesOf, urgentSentence } from "./announcements.ts";
import { nearWords } from "./near-limits.tsx";

type AnnouncerProps = {
  messages: readonly Message[];
  isRunning: boolean;
  waitingFor: WaitingFor | null;
  nearLimits: readonly NearLimit[];
  /** Why the last answer broke off. */
  trouble: string | undefined;
};

/**
 * Tells screen readers what happens: a sentence for each tool call and each text that is finished, and not every word as it
 * arrives. Each is an element of its own, so that only the new one is read out; what was there before is in the conversation.
 */
export function Announcer({ messages, isRunning, waitingFor, nearLimits, trouble }: AnnouncerProps) {
  const sentences = sentencesOf(messages, isRunning, waitingFor);
  const urgent = urgentSentence(waitingFor);
  const [before] = useState(() => new Set(sentences.map(({ key }) => key)));
  return (
    <>
      <div role="status" aria-atomic="false" className="sr-only">
        {sentences.map(({ key, text }) => (before.has(key) ? null : <p key={key}>{text}</p>))}
        {nearLimits.map(({ limit, message }) => (
          <p key={limit}>{nearWords(message)}</p>
        ))}
        {trouble === undefined ? null : <p key="trouble">{trouble}</p>}
      </div>
      <div role="alert" className="sr-only">
        {urgent}
      </div>
    </>
  );
}
