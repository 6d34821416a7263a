"use client";

import { X } from "lucide-react";
import { sizeOf } from "../../../schema/size.ts";
import { visibleText } from "../../format/visible-text.ts";
import type { Attaching, Upload } from "../../live/use-attach.ts";
import { Button } from "../elements/button.tsx";
import { Glyph } from "../elements/glyph.tsx";
import { Icon } from "../elements/icon.tsx";

/** Files on their way into the session, and those that did not get there. One that has arrived is in the message. */
export function AttachUploads({ attaching }: { attaching: Attaching }) {
  if (attaching.uploads.length === 0) return null;
  return (
    <ul aria-label="Files being attached" className="grid max-h-40 gap-1 overflow-y-auto px-3 pt-2">
      {attaching.uploads.map((upload) => (
        <li key={upload.key} className="flex min-w-0 items-center gap-2 text-xs">
          <bdi className={`min-w-0 truncate font-medium ${upload.failure === null ? "flex-1" : "max-w-2/5 flex-none"}`}>
            {visibleText(upload.name)}
          </bdi>
          {upload.failure === null ? <Progress upload={upload} /> : <Failure text={upload.failure} />}
          <Button
            size="icon"
            aria-label={`${upload.failure === null ? "Cancel" : "Dismiss"} ${visibleText(upload.name)}`}
            icon={<Icon of={X} className="size-3.5" />}
            onClick={() => attaching.dismiss(upload.key)}
          />
        </li>
      ))}
    </ul>
  );
}

const Progress = ({ upload }: { upload: Upload }) => (
  <span className="flex flex-none items-center gap-2 text-ink-3 tabular-nums">
    <progress aria-label={`Attaching ${visibleText(upload.name)}`} max={Math.max(1, upload.size)} value={upload.sent} className={bar} />
    <span className="whitespace-nowrap">
      {sizeOf(upload.sent)} of {sizeOf(upload.size)}
    </span>
  </span>
);

/** Browsers draw their own track so dark that nothing looks like everything. */
const bar =
  "h-1 w-24 appearance-none overflow-hidden rounded-[2px] border-0 bg-sunken max-rail:w-12 [&::-moz-progress-bar]:bg-ink-2 [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-ink-2";

const Failure = ({ text }: { text: string }) => (
  <span role="alert" className="flex min-w-0 flex-1 items-start gap-1.5 text-err">
    <Glyph of="failed" />
    <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
  </span>
);
