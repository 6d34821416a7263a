"use client";

import type { ClipboardEvent, KeyboardEvent, ReactNode } from "react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { maxMessageLength } from "../../../schema/session.ts";
import { keptDraft, useDraft } from "../../live/use-draft.ts";
import { Button } from "../elements/button.tsx";

type ComposerProps = {
  sessionId: string;
  /** Why nothing can be sent now. The draft can be written all the same. */
  closedBecause: string | undefined;
  /** It is answering: what is sent now waits for its turn. */
  isBusy: boolean;
  /** Writing is what comes next: nothing has been said yet, or something is to be said in other words. */
  takesFocus: boolean;
  /** What belongs to what is being written, above it. */
  above?: ReactNode;
  /** What the answer can draw on, in a few signs. */
  aside?: ReactNode;
  /** Files on their way into the session. */
  uploads?: ReactNode;
  /** Files that were pasted. */
  onFiles: (files: Iterable<File>) => void;
  onSend: (text: string) => Promise<boolean>;
  /** Sends it to the agent at work, which reads it at its next tool call. */
  onNote: ((text: string) => Promise<boolean>) | undefined;
};

/** Where a message is written. What was typed stays until the hall has accepted it, over a reload too. */
export function Composer({ sessionId, closedBecause, isBusy, takesFocus, above, aside, uploads, onFiles, onSend, onNote }: ComposerProps) {
  const [text, setText] = useDraft(sessionId);
  const [sending, setSending] = useState<"message" | "note" | null>(null);
  const isSending = sending !== null;
  const field = useRef<HTMLTextAreaElement>(null);
  /** Somebody wrote on while a message was on its way. */
  const isWrittenOn = useRef(false);
  /** And wants that sent as well, as soon as it can be. */
  const isNextMeant = useRef(false);

  useEffect(() => {
    // On a touch screen focus would bring up the keyboard over half the page.
    if (takesFocus && matchMedia("(hover: hover)").matches) field.current?.focus({ preventScroll: true });
  }, [takesFocus]);

  const send = async (as: "message" | "note" = "message") => {
    if (text.trim() === "" || closedBecause !== undefined) return;
    if (isSending) {
      // The same once more is a key that was held too long.
      isNextMeant.current = isWrittenOn.current;
      return;
    }
    isWrittenOn.current = false;
    setSending(as);
    const isAccepted = await (as === "note" && onNote !== undefined ? onNote : onSend)(text);
    // The page may have been left meanwhile.
    const now = keptDraft(sessionId);
    const isBehind = isWrittenOn.current && now.startsWith(text);
    if (isAccepted && (isBehind || now === text)) setText(now.slice(text.length).trimStart());
    isNextMeant.current &&= isAccepted && isWrittenOn.current;
    setSending(null);
  };
  const sendNext = useEffectEvent(() => {
    if (!isNextMeant.current) return;
    isNextMeant.current = false;
    void send();
  });
  useEffect(() => {
    if (!isSending) sendNext();
  }, [isSending]);
  const write = (next: string) => {
    isWrittenOn.current = isSending;
    setText(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send(event.altKey ? "note" : "message");
  };
  const onPaste = (event: ClipboardEvent) => {
    // A table copied from an office program comes as text and as a picture of it: the text is meant.
    if (event.clipboardData.files.length === 0 || event.clipboardData.types.includes("text/plain")) return;
    event.preventDefault();
    onFiles(event.clipboardData.files);
  };
  const hindrance = closedBecause ?? (text.trim() === "" ? "There is nothing to send yet." : undefined);
  return (
    <div className="px-6 pb-4 max-rail:border-t max-rail:border-line max-rail:px-3 max-rail:py-2">
      {above}
      <div
        onPaste={onPaste}
        className="mx-auto max-w-[780px] rounded-3 border border-control bg-surface shadow-2 focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-focus"
      >
        {uploads}
        <textarea
          ref={field}
          aria-label="Message"
          rows={1}
          value={text}
          maxLength={maxMessageLength}
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
          placeholder={isBusy ? "Add to the conversation. It is sent after this answer." : "Write a message"}
          className="block field-sizing-content max-h-60 min-h-9 w-full max-rail:min-h-11 resize-none px-3 pt-2.5 pb-1 text-md outline-0 placeholder:text-ink-3 max-rail:text-[16px]"
        />
        <div className="flex items-center gap-2 pr-2 pb-2 pl-3">
          {aside}
          <span className="ml-auto text-xs text-ink-3 max-rail:hidden">Shift Enter for a new line</span>
          {onNote === undefined ? null : (
            <Button
              size="sm"
              className="max-rail:ml-auto"
              title="The agent reads it at its next tool call"
              aria-label="Send as a note"
              hotkey="Alt Enter"
              busy={sending === "note"}
              disabledBecause={hindrance}
              onClick={() => void send("note")}
            >
              <span className="max-rail:hidden">Send as a note</span>
              <span className="rail:hidden">Note</span>
            </Button>
          )}
          <Button
            size="sm"
            variant="primary"
            className={`max-rail:px-4 ${onNote === undefined ? "max-rail:ml-auto" : ""}`}
            hotkey="Enter"
            busy={sending === "message"}
            disabledBecause={hindrance}
            onClick={() => void send()}
          >
            {isBusy ? "Queue" : "Send"}
          </Button>
        </div>
      </div>
    </div>
  );
}
