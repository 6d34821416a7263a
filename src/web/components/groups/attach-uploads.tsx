"use client";

import { X } from "lucide-react";
import { sizeOf } from "../../format/size.ts";
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
          <bdi className="min-w-0 truncate font-medium">{visibleText(upload.name)}</bdi>
          <span className="min-w-0 flex-1">
            {upload.failure === null ? <Progress upload={upload} /> : <Failure text={upload.failure} />}
          </span>
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
  <span className="flex items-center gap-2 text-ink-3 tabular-nums">
    <progress
      aria-label={`Attaching ${visibleText(upload.name)}`}
      max={Math.max(1, upload.size)}
      value={upload.sent}
      className="h-1 w-24 min-w-0 accent-ink-2"
    />
    <span className="whitespace-nowrap">
      {sizeOf(upload.sent)} of {sizeOf(upload.size)}
    </span>
  </span>
);

const Failure = ({ text }: { text: string }) => (
  <span role="alert" className="flex items-start gap-1.5 text-err">
    <Glyph of="failed" />
    <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
  </span>
);
