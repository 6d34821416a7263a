"use client";

import { X } from "lucide-react";
import { useState } from "react";
import type { MessageId } from "../../../schema/ids.ts";
import type { Message } from "../../../schema/session.ts";
import { counted } from "../../format/figures.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { Status } from "../elements/status.tsx";
import { textOf } from "./text-said.ts";

type MessageQueueProps = {
  messages: readonly Message[];
  /** A stop or a failure holds them back: the person says when they go on. */
  isHeld: boolean;
  onRemove: (id: MessageId) => Promise<unknown>;
  onSend: () => Promise<unknown>;
};

/** More of a message is not needed to know which it is. */
const mostInLine = 300;

/** The messages that wait for their turn. */
export function MessageQueue({ messages, isHeld, onRemove, onSend }: MessageQueueProps) {
  const [isSending, setIsSending] = useState(false);
  if (messages.length === 0) return null;
  const send = async () => {
    setIsSending(true);
    await onSend();
    setIsSending(false);
  };
  return (
    <section aria-labelledby="queue" className="mx-auto mb-2 max-w-[780px] rounded-2 border border-line bg-surface">
      <div className="flex min-h-8 items-center gap-2 pr-1.5 pl-3 text-xs text-ink-2">
        <h2 id="queue" className="font-ui text-xs font-medium tracking-normal">
          {counted(messages.length, "message")} {messages.length === 1 ? "waits" : "wait"}
        </h2>
        <span className="text-ink-3">{isHeld ? "Held back after the last answer broke off." : "Sent in turn, after this answer."}</span>
        {isHeld ? (
          <Button size="sm" className="my-1 ml-auto" busy={isSending} onClick={() => void send()}>
            Send now
          </Button>
        ) : null}
      </div>
      <ol className="max-h-[30vh] overflow-y-auto">
        {messages.map((message) => (
          <li key={message.id} className="flex min-h-8 items-center gap-2 border-t border-line pr-1.5 pl-3 text-xs">
            <Status of="queued" />
            {message.note === undefined ? null : <span className="flex-none text-ink-3">Note, not read</span>}
            <span className="min-w-0 flex-1 truncate">{textOf(message).slice(0, mostInLine)}</span>
            <Button
              size="icon"
              className="size-6"
              aria-label="Remove from the queue"
              title="Remove from the queue"
              icon={<Icon of={X} className="size-[15px]" />}
              onClick={() => void onRemove(message.id)}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}
