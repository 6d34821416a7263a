"use client";

import { ArrowDown } from "lucide-react";
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { ReactNode } from "react";
import type { VirtualizerHandle } from "virtua";
import type { ModelInfo } from "../../../schema/health.ts";
import type { MessageId } from "../../../schema/ids.ts";
import type { Message } from "../../../schema/session.ts";
import { foldRepeats } from "../../live/fold-repeats.ts";
import { useHistoryStart } from "../../live/use-history-start.ts";
import { useLinkedMessage } from "../../live/use-linked-message.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { MessageList } from "./message-list.tsx";
import { OpenRowsContext } from "./open-rows.ts";
import { PinnedQuestion, pinPx, questionAbove } from "./pinned-question.tsx";

type ConversationProps = {
  messages: readonly Message[];
  model: ModelInfo;
  isRunning: boolean;
  hasEarlier: boolean;
  top: ReactNode;
  bottom: ReactNode;
  editable: MessageId | undefined;
  onEdit: (id: MessageId) => void;
  onEarlier: (limit?: number) => Promise<boolean>;
};

/** So near to the end one reads what comes next. */
const endPx = 48;
/** So near to the beginning one will want what came before. */
const beginPx = 1200;
/** From so many messages or so much text on only what is in sight is drawn, and the browser's own search finds nothing else. */
const mostDrawn = 300;
const mostTextDrawn = 100_000;

/** The messages, oldest first. The view follows new text only while the reader is at the end. */
export function Conversation(props: ConversationProps) {
  const { messages, model, isRunning, hasEarlier, top, bottom, editable, onEdit, onEarlier } = props;
  const { shown, times, standIns } = useMemo(() => foldRepeats(messages), [messages]);
  const log = useRef<HTMLDivElement>(null);
  const rows = useRef<VirtualizerHandle>(null);
  const follows = useRef(true);
  const lastTop = useRef(0);
  /** The message that the reader was led to and has not scrolled away from. */
  const ledTo = useRef<MessageId | null>(null);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const [isWindowed, setIsWindowed] = useState(false);
  const [pinned, setPinned] = useState<MessageId | null>(null);
  const [openRows] = useState(() => new Set<string>());

  const toEnd = () => {
    if (log.current === null) return;
    log.current.scrollTop = log.current.scrollHeight;
    // The event of this scroll may come before anybody listens.
    lastTop.current = log.current.scrollTop;
  };
  /** New text moves the end away from a reader who did nothing; only going up is leaving it. */
  const noticeReader = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) => {
    if (scrollHeight - scrollTop - clientHeight < endPx) follows.current = true;
    else if (scrollTop < lastTop.current) follows.current = false;
    lastTop.current = scrollTop;
  };
  const follow = () => {
    if (!follows.current || log.current === null) return;
    // A reader who goes up is not taken back by text that comes before the event of their scroll.
    noticeReader(log.current);
    if (follows.current) toEnd();
  };
  const goToEnd = () => {
    follows.current = true;
    toEnd();
  };
  const linked = useLinkedMessage({
    messages,
    hasEarlier,
    onEarlier,
    onFound: (found) => {
      const id = standIns.get(found) ?? found;
      const index = shown.findIndex((message) => message.id === id);
      follows.current = false;
      ledTo.current = id;
      setIsAtEnd(false);
      if (rows.current === null) showBegin(id);
      else rows.current.scrollToIndex(index, { align: "start", offset: -pinPx });
    },
  });

  const target = linked === null ? null : (standIns.get(linked) ?? linked);

  const start = useHistoryStart({
    count: messages.length,
    hasEarlier,
    onEarlier,
    onReached: () => {
      follows.current = false;
      setIsAtEnd(false);
      rows.current?.scrollToIndex(0, { align: "start" });
    },
  });
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    ledTo.current = null;
    if (event.key !== "Home" || !hasEarlier || isField(event.target)) return start.leave();
    event.preventDefault();
    start.seek();
  });
  const onLeave = useEffectEvent(() => {
    ledTo.current = null;
    start.leave();
  });
  const onSettle = () => {
    // Messages above the one that was asked for may change their height until all are drawn.
    if (ledTo.current !== null && rows.current === null) showBegin(ledTo.current);
    follow();
    pin();
  };

  const pin = () => {
    if (log.current !== null) setPinned(questionAbove(log.current, shown));
  };
  const onScroll = useEffectEvent(() => {
    const element = log.current;
    if (element === null) return;
    noticeReader(element);
    setIsAtEnd(follows.current);
    pin();
    if (hasEarlier && isWindowed && element.scrollTop < beginPx) void onEarlier();
  });

  useLayoutEffect(follow);
  const pinFirst = useEffectEvent(pin);
  useEffect(() => pinFirst(), [messages.length]);
  useEffect(() => {
    const element = log.current;
    if (element === null) return;
    const listening = new AbortController();
    const quietly = { passive: true, signal: listening.signal };
    element.addEventListener("scroll", () => onScroll(), quietly);
    element.addEventListener("wheel", () => onLeave(), quietly);
    element.addEventListener("touchmove", () => onLeave(), quietly);
    element.addEventListener("pointerdown", () => onLeave(), quietly);
    element.addEventListener("keydown", (event) => onKey(event), { signal: listening.signal });
    return () => listening.abort();
  }, []);
  // The server draws a page of it whole. A reader who follows the end notices nothing of the change.
  const wantsWindow = hasEarlier || messages.length > mostDrawn || sizeOfText(messages) > mostTextDrawn;
  useEffect(() => {
    if (wantsWindow && follows.current) setIsWindowed(true);
  }, [wantsWindow, isAtEnd]);

  const question = pinned === null ? undefined : messages.find(({ id }) => id === pinned);
  return (
    <div className="relative min-h-0 flex-1">
      {question === undefined ? null : <PinnedQuestion message={question} />}
      <div
        ref={log}
        tabIndex={0}
        role="log"
        aria-label="Conversation"
        aria-live="off"
        className="h-full overflow-auto px-6 pt-5 pb-4 [overflow-anchor:none] focus-visible:-outline-offset-2 max-rail:px-4"
      >
        <OpenRowsContext value={openRows}>
          {top}
          <MessageList
            messages={shown}
            times={times}
            model={model}
            isRunning={isRunning}
            isWindowed={isWindowed}
            rows={rows}
            target={target}
            editable={editable}
            onEdit={onEdit}
            onSettle={onSettle}
          />
          {bottom}
        </OpenRowsContext>
      </div>
      {start.isSeeking ? (
        <p role="status" className="absolute top-12 left-1/2 z-1 -translate-x-1/2 rounded-2 bg-surface px-3 py-1.5 text-xs shadow-2">
          Reading back to the beginning
        </p>
      ) : null}
      {isAtEnd ? null : (
        <Button
          size="sm"
          className="absolute bottom-2 left-1/2 -translate-x-1/2 shadow-2"
          icon={<Icon of={ArrowDown} className="size-[15px]" />}
          onClick={goToEnd}
        >
          Jump to latest
        </Button>
      )}
    </div>
  );
}

const showBegin = (id: MessageId): void => document.getElementById(id)?.scrollIntoView({ block: "start" });

const sizeOfText = (messages: readonly Message[]): number =>
  messages.reduce(
    (total, { blocks }) => total + blocks.reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 0), 0),
    0,
  );

/** There, the key is for what is being written. */
const isField = (target: EventTarget | null): boolean => target instanceof Element && target.matches("input, textarea, select");
