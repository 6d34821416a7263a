import { Plug, TriangleAlert, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { Glyph } from "./glyph.tsx";
import type { GlyphName } from "./glyph.tsx";
import { Icon } from "./icon.tsx";

export type StatusName = GlyphName | "connected" | "disconnected" | "error" | "warning";

/** A state as a glyph and a word. A resting state colours its glyph only; a live or exceptional one colours the word too. */
export function Status({ of: name, word }: { of: StatusName; word?: string }) {
  const { says, tone, drawing } = looks[name];
  return (
    <span className={`inline-flex items-center gap-1.5 text-xs font-medium whitespace-nowrap ${tone}`}>
      {drawing}
      {word ?? says}
    </span>
  );
}

type Look = { says: string; tone: string; drawing: ReactNode };

const quiet = "text-ink-2";
const small = "size-3.5";

const looks: Record<StatusName, Look> = {
  idle: { says: "Idle", tone: quiet, drawing: <Glyph of="idle" /> },
  queued: { says: "Queued", tone: quiet, drawing: <Glyph of="queued" /> },
  running: { says: "Running", tone: "text-run", drawing: <Glyph of="running" /> },
  waiting: { says: "Waiting for you", tone: "text-brass", drawing: <Glyph of="waiting" /> },
  blocked: { says: "Blocked", tone: quiet, drawing: <Glyph of="blocked" /> },
  completed: { says: "Completed", tone: quiet, drawing: <Glyph of="completed" className={`${small} text-ok`} /> },
  failed: { says: "Failed", tone: "text-err", drawing: <Glyph of="failed" /> },
  expired: { says: "Expired", tone: quiet, drawing: <Glyph of="expired" /> },
  cancelled: { says: "Cancelled", tone: quiet, drawing: <Glyph of="cancelled" /> },
  connected: { says: "Connected", tone: quiet, drawing: <Icon of={Plug} className={`${small} text-ok`} /> },
  disconnected: { says: "Disconnected", tone: quiet, drawing: <Icon of={Unplug} className={small} /> },
  warning: { says: "Warning", tone: "text-warn", drawing: <Icon of={TriangleAlert} className={small} /> },
  error: { says: "Error", tone: "text-err", drawing: <Icon of={TriangleAlert} className={small} /> },
};
