"use client";

import Image from "next/image";
import { useState } from "react";
import { Attached } from "./attached.tsx";
import { base64Size, downloadBase64, extensionOf } from "../../../live/download.ts";

/** What a browser draws without running anything: in an image element an SVG has neither scripts nor addresses of others. */
const drawn = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/svg+xml"]);

export const isPicture = (mimeType: string): boolean => drawn.has(mimeType);

type PictureProps = { data: string; mimeType: string; fileName: string };

/** A picture that came with the answer. One that cannot be drawn can still be had as a file. */
export function Picture({ data, mimeType, fileName }: PictureProps) {
  const [isBroken, setIsBroken] = useState(false);
  const name = `${fileName}.${extensionOf(mimeType)}`;
  const canDraw = isPicture(mimeType) && !isBroken;
  return (
    <Attached
      kind={canDraw ? "Picture" : isBroken ? "Picture that cannot be drawn" : "Picture of a kind that is not drawn here"}
      mimeType={mimeType}
      size={base64Size(data)}
      onDownload={() => downloadBase64(data, name)}
    >
      {canDraw ? (
        <Image
          unoptimized
          loading="eager"
          width={0}
          height={0}
          src={`data:${mimeType};base64,${data}`}
          alt={`Made by the tool, ${mimeType}`}
          onError={() => setIsBroken(true)}
          className="h-auto max-h-[60vh] w-auto max-w-full rounded-2 border border-line bg-surface"
        />
      ) : null}
    </Attached>
  );
}
