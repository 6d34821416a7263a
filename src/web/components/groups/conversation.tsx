"use client";

import { ArrowDown } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import type { ModelInfo } from "../../../schema/health.ts";
import type { Message } from "../../../schema/session.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { MessageView } from "./message-view.tsx";

type ConversationProps = { messages: readonly Message[]; model: ModelInfo; isRunning: boolean; top: ReactNode; bottom: ReactNode };

/** The messages, oldest first. The view follows new text only while the reader is at the end. */
export function Conversation({ messages, model, isRunning, top, bottom }: ConversationProps) {
  const log = useRef<HTMLDivElement>(null);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const toEnd = () => log.current?.scrollTo({ top: log.current.scrollHeight });

  useLayoutEffect(() => {
    if (isAtEnd) toEnd();
  });
  useEffect(() => {
    const element = log.current;
    if (element === null) return;
    const onScroll = () => setIsAtEnd(element.scrollHeight - element.scrollTop - element.clientHeight < 48);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, []);

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={log}
        tabIndex={0}
        role="log"
        aria-label="Conversation"
        aria-live="off"
        className="h-full overflow-auto px-6 pt-5 pb-4 focus-visible:-outline-offset-2 max-rail:px-4"
      >
        {top}
        {messages.map((message, index) => (
          <MessageView
            key={message.id}
            message={message}
            model={model}
            isLive={isRunning && message.role === "assistant" && index === messages.length - 1}
            goesOn={message.role === "assistant" && messages[index - 1]?.role === "assistant"}
          />
        ))}
        {bottom}
      </div>
      {isAtEnd ? null : (
        <Button
          size="sm"
          className="absolute bottom-2 left-1/2 -translate-x-1/2 shadow-2"
          icon={<Icon of={ArrowDown} className="size-[15px]" />}
          onClick={toEnd}
        >
          Jump to latest
        </Button>
      )}
    </div>
  );
}
