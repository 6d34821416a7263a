"use client";

import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { ReactElement, ReactNode, RefObject } from "react";
import { Virtualizer } from "virtua";
import type { VirtualizerHandle } from "virtua";
import type { ModelInfo } from "../../../schema/health.ts";
import type { MessageId } from "../../../schema/ids.ts";
import { isQuestion } from "../../../schema/session.ts";
import type { Message } from "../../../schema/session.ts";
import { MessageView } from "./message-view.tsx";
import { textSaidUpTo } from "./text-said.ts";

type MessageListProps = {
  messages: readonly Message[];
  /** How often those were sent that were sent more than once. */
  times: ReadonlyMap<MessageId, number>;
  model: ModelInfo;
  isRunning: boolean;
  /** Only what is in sight is drawn. */
  isWindowed: boolean;
  rows: RefObject<VirtualizerHandle | null>;
  /** Somebody was led to this one. */
  target: MessageId | null;
  /** What can be asked again in other words. */
  editable: MessageId | undefined;
  onEdit: (id: MessageId) => void;
  /** Something took another height, or a scroll came to rest: rows are drawn after the events of the scroll that leads to them. */
  onSettle: () => void;
};

/** The messages themselves. Earlier ones that come in above leave in place what is being read. */
export function MessageList(props: MessageListProps) {
  const { messages, times, model, isRunning, isWindowed, rows, target, editable, onEdit, onSettle } = props;
  const [drawn, setDrawn] = useState({ messages, isGrowingUpwards: false });
  if (drawn.messages !== messages) setDrawn({ messages, isGrowingUpwards: hasMoreAbove(drawn.messages, messages) });
  // What a message is given must stay the same, or all of them would be drawn again for each new word.
  const now = useRef({ messages, onEdit });
  useEffect(() => {
    now.current = { messages, onEdit };
  });
  const onCopy = useCallback((id: MessageId) => textSaidUpTo(now.current.messages, id), []);
  const onEditNow = useCallback((id: MessageId) => now.current.onEdit(id), []);

  const draw = (message: Message, index: number): ReactElement => {
    const next = nextSaid(messages, index);
    const isLast = next === undefined;
    const isWhole = message.role === "user" || (isLast ? !isRunning : isQuestion(next));
    return (
      <MessageView
        key={message.id}
        message={message}
        model={model}
        isLive={isRunning && isLast && message.role === "assistant"}
        goesOn={message.role === "assistant" && messages[index - 1]?.role === "assistant"}
        isTarget={message.id === target}
        times={times.get(message.id)}
        onCopy={isWhole ? onCopy : undefined}
        onEdit={message.id === editable ? onEditNow : undefined}
      />
    );
  };
  if (!isWindowed) return <WholeList onResize={onSettle}>{messages.map(draw)}</WholeList>;
  return (
    <Virtualizer
      ref={rows}
      data={messages}
      shift={drawn.isGrowingUpwards}
      startMargin={topPadding}
      bufferSize={400}
      onResize={onSettle}
      onScrollEnd={onSettle}
    >
      {draw}
    </Virtualizer>
  );
}

function WholeList({ onResize, children }: { onResize: () => void; children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  const onHeight = useEffectEvent(onResize);
  useEffect(() => {
    if (list.current === null) return;
    const heights = new ResizeObserver(() => onHeight());
    heights.observe(list.current);
    return () => heights.disconnect();
  }, []);
  return <div ref={list}>{children}</div>;
}

/** What stands above the first message; see the padding of the conversation. */
const topPadding = 20;

/** Notes do not end the answer that they are read in. */
function nextSaid(messages: readonly Message[], index: number): Message | undefined {
  let at = index + 1;
  while (messages[at]?.note !== undefined) at += 1;
  return messages[at];
}

const hasMoreAbove = (before: readonly Message[], now: readonly Message[]): boolean =>
  before.length > 0 && now.length > before.length && before[0]?.id !== now[0]?.id;
