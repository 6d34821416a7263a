"use client";

import { useState } from "react";
import type { Message } from "../../../schema/session.ts";
import { sentencesOf } from "./announcements.ts";

type AnnouncerProps = {
  messages: readonly Message[];
  isRunning: boolean;
  /** Why the last answer broke off. */
  trouble: string | undefined;
};

/**
 * Tells screen readers what happens: a sentence for each tool call and each text that is finished, and not every word as it
 * arrives. Each is an element of its own, so that only the new one is read out; what was there before is in the conversation.
 */
export function Announcer({ messages, isRunning, trouble }: AnnouncerProps) {
  const sentences = sentencesOf(messages, isRunning);
  const [before] = useState(() => new Set(sentences.map(({ key }) => key)));
  return (
    <div role="status" aria-atomic="false" className="sr-only">
      {sentences.map(({ key, text }) => (before.has(key) ? null : <p key={key}>{text}</p>))}
      {trouble === undefined ? null : <p key="trouble">{trouble}</p>}
    </div>
  );
}
