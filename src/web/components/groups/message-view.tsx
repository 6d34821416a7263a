import { Fragment, memo } from "react";
import type { ModelInfo } from "../../../schema/health.ts";
import type { Message } from "../../../schema/session.ts";
import { ClockTime } from "../elements/clock-time.tsx";
import { Icon } from "../elements/icon.tsx";
import { SquareMonogram } from "../elements/monogram.tsx";
import { Status } from "../elements/status.tsx";
import { backends } from "./backend-indicator.tsx";
import { Markdown } from "./markdown.tsx";
import { passagesOf } from "./tool-call.ts";
import { ToolRows } from "./tool-rows.tsx";

type MessageViewProps = {
  message: Message;
  model: ModelInfo;
  /** The model is still at it. */
  isLive: boolean;
  /** The same speaker goes on: no name again. */
  goesOn: boolean;
};

export const MessageView = memo(function MessageView({ message, model, isLive, goesOn }: MessageViewProps) {
  const isPerson = message.role === "user";
  const { name, icon } = isPerson ? { name: "You", icon: null } : backends[model.backend];
  const passages = passagesOf(message);
  return (
    <article className="mx-auto mb-4 grid max-w-[780px] grid-cols-[26px_minmax(0,1fr)] gap-x-3 max-rail:grid-cols-1">
      <span className="row-span-2 mt-px max-rail:hidden">
        {goesOn ? null : <SquareMonogram label={name}>{icon === null ? "You" : <Icon of={icon} className="size-[15px]" />}</SquareMonogram>}
      </span>
      <h2 className={goesOn ? "sr-only" : "flex items-baseline gap-2 font-ui text-sm font-semibold tracking-normal"}>
        {name}
        <ClockTime at={message.at} />
      </h2>
      <div className="min-w-0">
        {passages.map((passage, index) => (
          <Fragment key={passage.key}>
            {passage.kind === "calls" ? (
              <ToolRows calls={passage.calls} isLive={isLive} />
            ) : isPerson ? (
              <p className="max-w-(--measure) text-md whitespace-pre-wrap [overflow-wrap:anywhere]">{passage.text}</p>
            ) : (
              <Markdown text={passage.text} isArriving={isLive && index === passages.length - 1} />
            )}
          </Fragment>
        ))}
        {message.interrupted === true ? <Status of="cancelled" word="Broken off here" /> : null}
      </div>
    </article>
  );
});
