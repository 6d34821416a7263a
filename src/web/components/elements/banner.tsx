import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Glyph } from "./glyph.tsx";
import type { GlyphName } from "./glyph.tsx";
import { Icon } from "./icon.tsx";

type BannerProps = {
  tone?: "error" | "warning";
  /** In place of the sign of a warning. */
  glyph?: GlyphName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
};

/** Something is amiss: what happened in bold, what is safe and what comes next behind it, one thing to press. */
export function Banner({ tone = "error", glyph, title, children, action }: BannerProps) {
  const isError = tone === "error";
  return (
    <div className={`flex items-center gap-2.5 rounded-2 border px-3 py-[9px] max-rail:flex-wrap ${isError ? errorLook : warningLook}`}>
      <span className={isError ? "text-err" : "text-warn"}>
        {isError || glyph !== undefined ? <Glyph of={glyph ?? "failed"} className="size-4" /> : <Icon of={TriangleAlert} />}
      </span>
      <span className="min-w-0 flex-1 text-ink max-rail:basis-[calc(100%-40px)]">
        <b>{title}</b> <span className="text-ink-2">{children}</span>
      </span>
      {action}
    </div>
  );
}

const errorLook = "border-err/35 bg-err-wash [--glyph:var(--err-wash)]";
const warningLook = "border-warn/35 bg-warn-wash";
