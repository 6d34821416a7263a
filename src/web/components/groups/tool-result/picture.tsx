"use client";

import { useState } from "react";
import { Attached } from "./attached.tsx";
import { base64Size, downloadBase64 } from "./download.ts";

/** What a browser draws without running anything: in an image element an SVG has neither scripts nor addresses of others. */
const drawn = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/svg+xml"]);

export const isPicture = (mimeType: string): boolean => drawn.has(mimeType);

type PictureProps = { data: string; mimeType: string; fileName: string };

/** A picture that came with the answer. One that cannot be drawn can still be had as a file. */
export function Picture({ data, mimeType, fileName }: PictureProps) {
  const [isBroken, setIsBroken] = useState(false);
  const name = `${fileName}.${mimeType.split("/")[1]?.replace(/\W.*$/, "") ?? "bin"}`;
  const canDraw = isPicture(mimeType) && !isBroken;
  return (
    <Attached
      kind={canDraw ? "Picture" : isBroken ? "Picture that cannot be drawn" : "Picture of a kind that is not drawn here"}
      mimeType={mimeType}
      size={base64Size(data)}
      onDownload={() => downloadBase64(data, name)}
    >
      {canDraw ? (
        // A data address: no optimiser could do anything for it.
        // oxlint-disable-next-line nextjs/no-img-element
        <img
          src={`data:${mimeType};base64,${data}`}
          alt={`Made by the tool, ${mimeType}`}
          onError={() => setIsBroken(true)}
          className="max-h-[60vh] max-w-full rounded-2 border border-line bg-surface"
        />
      ) : null}
    </Attached>
  );
}
