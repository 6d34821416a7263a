import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { sizeOf } from "../../../../schema/size.ts";
import { Button } from "../../elements/button.tsx";
import { Icon } from "../../elements/icon.tsx";

type AttachedProps = { kind: string; mimeType: string; size: number; onDownload: () => void; children?: ReactNode };

/** Something in an answer that is a file: what it is, how large, and how to get it. */
export const Attached = ({ kind, mimeType, size, onDownload, children }: AttachedProps) => (
  <figure className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-1.5">
    {children}
    <figcaption className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-3">
      <span className="[overflow-wrap:anywhere]">
        {kind}, {mimeType.slice(0, 100)}, {sizeOf(size)}
      </span>
      <Button size="sm" variant="ghost" icon={<Icon of={Download} className="size-[15px]" />} onClick={onDownload}>
        Download
      </Button>
    </figcaption>
  </figure>
);
