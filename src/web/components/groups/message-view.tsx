"use client";

import { Pencil, StickyNote, X } from "lucide-react";
import { Fragment, memo, use } from "react";
import type { ModelInfo } from "../../../schema/health.ts";
import type { MessageId } from "../../../schema/ids.ts";
import type { Message } from "../../../schema/session.ts";
import { useBrowserDrawing } from "../../live/use-browser-drawing.ts";
import { Button } from "../elements/button.tsx";
import { ClockTime } from "../elements/clock-time.tsx";
import { CopyButton } from "../elements/copy-button.tsx";
import { Icon } from "../elements/icon.tsx";
import { SquareMonogram } from "../elements/monogram.tsx";
import { PlainOnFailure } from "../elements/plain-on-failure.tsx";
import { PlainBeginning, PlainPassage } from "../elements/plain-passage.tsx";
import { Status } from "../elements/status.tsx";
import { backends } from "./backend-indicator.tsx";
import { Markdown } from "./markdown.tsx";
import { textOf } from "./text-said.ts";
import { passagesOf } from "./tool-call.ts";
import { ToolRows } from "./tool-rows.tsx";
import { WaitContext } from "./wait-context.ts";

export type MessageViewProps = {
  message: Message;
  model: ModelInfo;
  /** The model is still at it. */
  isLive: boolean;
  /** The same speaker goes on: no name again. */
  goesOn: boolean;
  /** Somebody was led here. */
  isTarget?: boolean;
  /** How often it was sent, if more than once. */
  times?: number | undefined;
  /** What this speaker said down to here, to be taken along. Only where they are done. */
  onCopy?: ((id: MessageId) => string) | undefined;
  /** Takes back a note that was not read. */
  onRemove?: ((id: MessageId) => void) | undefined;
  /** Puts it before the person once more. */
  onEdit?: ((id: MessageId) => void) | undefined;
};

export const MessageView = memo(function MessageView({
  message,
  model,
  isLive,
  goesOn,
  isTarget = false,
  times,
  ...acts
}: MessageViewProps) {
  const isPerson = message.role === "user";
  const { name, icon } = isPerson ? { name: "You", icon: null } : backends[model.backend];
  return (
    <article
      id={message.id}
      data-target={isTarget || undefined}
      className="mx-auto grid max-w-[780px] scroll-mt-12 grid-cols-[26px_minmax(0,1fr)] gap-x-3 pb-4 data-target:shadow-[-12px_0_0_-9px_var(--brass-fill)] max-rail:grid-cols-1"
    >
      <span className="row-span-2 mt-px max-rail:hidden">
        {goesOn ? null : <SquareMonogram label={name}>{icon === null ? "You" : <Icon of={icon} className="size-[15px]" />}</SquareMonogram>}
      </span>
      <div className={goesOn ? "sr-only" : "flex min-h-5 items-center gap-2"}>
        <h2 className="flex items-baseline gap-2 font-ui text-sm font-semibold tracking-normal">
          {name}
          {/* A finger would miss it, and an address is no use where there is no bar to see it in. */}
          <a href={`#${message.id}`} className="hover:underline max-rail:hidden">
            <ClockTime at={message.at} />
          </a>
          <span className="rail:hidden">
            <ClockTime at={message.at} />
          </span>
        </h2>
        {message.note === undefined ? null : <NoteMark readAt={message.note.readAt} />}
        {times === undefined ? null : <span className="text-xs text-ink-3">Sent {times} times</span>}
        {isPerson ? <MessageActions id={message.id} isPerson {...acts} /> : null}
      </div>
      <div className="min-w-0">
        <MessageBody message={message} isLive={isLive} />
        {message.interrupted === true ? <Status of="cancelled" word="Broken off here" /> : null}
        {isPerson ? null : <MessageActions id={message.id} isPerson={false} {...acts} />}
      </div>
    </article>
  );
});

/** A note is not answered: it is read in the middle of an answer. */
const NoteMark = ({ readAt }: { readAt: string | null }) => (
  <span className="inline-flex items-center gap-1 text-xs text-ink-3">
    <Icon of={StickyNote} className="size-[13px]" />
    {readAt === null ? (
      "Note, not read yet"
    ) : (
      <span>
        Note, read <ClockTime at={readAt} />
      </span>
    )}
  </span>
);

function MessageBody({ message, isLive }: Pick<MessageViewProps, "message" | "isLive">) {
  const text = textOf(message);
  const isAtWork = use(WaitContext) === null && isLive;
  if (!useBrowserDrawing()) return <PlainBeginning text={text} />;
  const passages = passagesOf(message);
  return (
    <PlainOnFailure text={text}>
      {passages.map((passage, index) => (
        <Fragment key={passage.key}>
          {passage.kind === "calls" ? (
            <ToolRows calls={passage.calls} isLive={isLive} />
          ) : message.role === "user" ? (
            <PlainPassage text={passage.text} />
          ) : (
            <Markdown text={passage.text} isArriving={isAtWork && index === passages.length - 1} />
          )}
        </Fragment>
      ))}
    </PlainOnFailure>
  );
}

type MessageActionsProps = Pick<MessageViewProps, "onCopy" | "onEdit" | "onRemove"> & { id: MessageId; isPerson: boolean };

function MessageActions({ id, isPerson, onCopy, onEdit, onRemove }: MessageActionsProps) {
  if (onCopy === undefined && onEdit === undefined && onRemove === undefined) return null;
  return (
    <div className={`flex gap-1 text-ink-3 ${isPerson ? "-my-0.5 max-rail:-my-2" : "mt-1 -ml-1.5"}`}>
      {onCopy === undefined ? null : (
        <CopyButton isBare text={() => onCopy(id)}>
          {isPerson ? "Copy message" : "Copy answer"}
        </CopyButton>
      )}
      {onEdit === undefined ? null : (
        <Button
          size="icon"
          className="size-6"
          aria-label="Edit and send again"
          title="Edit and send again"
          icon={<Icon of={Pencil} className="size-[15px]" />}
          onClick={() => onEdit(id)}
        />
      )}
      {onRemove === undefined ? null : (
        <Button
          size="icon"
          className="size-6"
          aria-label="Take the note back"
          title="Take the note back"
          icon={<Icon of={X} className="size-[15px]" />}
          onClick={() => onRemove(id)}
        />
      )}
    </div>
  );
}
