"use client";

import { dayAndTime, exactTime } from "../../format/age.ts";
import { PlainText } from "../elements/plain-text.tsx";

/** A sentence about a failure. The time at which a limit resets is told in the reader's own zone, which only the browser knows. */
export function FailureText({ text, resetsAt }: { text: string; resetsAt: string | undefined }) {
  const [before = "", after] = resetsAt === undefined ? [text] : text.split(resetsAt);
  if (resetsAt === undefined || after === undefined) return <PlainText>{text}</PlainText>;
  return (
    <>
      <PlainText>{before}</PlainText>
      <time dateTime={resetsAt} title={exactTime(resetsAt)} suppressHydrationWarning>
        {dayAndTime(resetsAt)}
      </time>
      <PlainText>{after}</PlainText>
    </>
  );
}
