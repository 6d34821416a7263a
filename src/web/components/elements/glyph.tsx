import type { ReactNode } from "react";

export type GlyphName = "idle" | "queued" | "running" | "waiting" | "blocked" | "completed" | "failed" | "expired" | "cancelled";

/** The house's own status glyphs. Each has a silhouette of its own, so that a state can be told without its colour. */
export function Glyph({ of: name, className = "size-3.5" }: { of: GlyphName; className?: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden fill="none" className={`block flex-none ${name === "running" ? "turning" : ""} ${className}`}>
      {drawings[name]}
    </svg>
  );
}

/** Lines cut out of a filled glyph take the colour it lies on. */
const cut = { stroke: "var(--glyph, var(--surface))", strokeWidth: 1.6, strokeLinecap: "round", strokeLinejoin: "round" } as const;
const line = { stroke: "currentColor", strokeWidth: 1.5, strokeLinecap: "round", strokeLinejoin: "round" } as const;

const drawings: Record<GlyphName, ReactNode> = {
  idle: <circle cx="8" cy="8" r="5.25" {...line} />,
  queued: <circle cx="8" cy="8" r="5.25" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2.2 1.93" />,
  running: (
    <>
      <circle cx="8" cy="8" r="5.75" {...line} opacity=".28" />
      <path d="M8 2.25A5.75 5.75 0 0 1 13.75 8" {...line} strokeWidth="1.75" />
      <circle cx="8" cy="8" r="2" fill="currentColor" />
    </>
  ),
  waiting: (
    <>
      <path d="M8 1.2 14.8 8 8 14.8 1.2 8Z" fill="currentColor" />
      <path d="M8 4.9v3.7M8 10.6v.5" {...cut} />
    </>
  ),
  blocked: (
    <>
      <circle cx="8" cy="8" r="5.75" {...line} />
      <path d="M6.4 5.8v4.4M9.6 5.8v4.4" {...line} strokeWidth="1.6" />
    </>
  ),
  completed: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="currentColor" />
      <path d="m5.2 8.2 2 2 3.7-4.1" {...cut} />
    </>
  ),
  failed: (
    <>
      <path d="M5.3 1.75h5.4l3.55 3.55v5.4l-3.55 3.55H5.3L1.75 10.7V5.3Z" fill="currentColor" />
      <path d="m5.9 5.9 4.2 4.2m0-4.2-4.2 4.2" {...cut} />
    </>
  ),
  expired: <path d="M4 2h8M4 14h8M5 2.2v2.3L8 8l3-3.5V2.2M5 13.8v-2.3L8 8l3 3.5v2.3" {...line} strokeWidth="1.4" />,
  cancelled: (
    <>
      <circle cx="8" cy="8" r="5.5" {...line} />
      <path d="m4.2 11.8 7.6-7.6" {...line} />
    </>
  ),
};
