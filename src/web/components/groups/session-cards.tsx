"use client";

import { useState } from "react";
import type { Session } from "../../../schema/session.ts";
import { Button } from "../elements/button.tsx";
import { Empty } from "../elements/empty.tsx";
import { Segment } from "../elements/segment.tsx";
import { SessionCard } from "./session-card.tsx";

type Filter = "all" | "running" | "idle" | "ended";

const filters: Record<Filter, { label: string; holds: (session: Session) => boolean }> = {
  all: { label: "All", holds: () => true },
  running: { label: "Running", holds: ({ status }) => status === "running" },
  idle: { label: "Idle", holds: ({ status }) => status === "idle" },
  ended: { label: "Ended", holds: ({ status }) => status === "completed" || status === "expired" || status === "error" },
};

/** The sessions as cards, and a choice of which to see. */
export function SessionCards({ sessions }: { sessions: readonly Session[] }) {
  const [filter, setFilter] = useState<Filter>("all");
  const shown = sessions.filter(filters[filter].holds);
  const options = (Object.keys(filters) as Filter[]) // Object.keys forgets what the keys are
    .map((value) => ({ value, label: filters[value].label, count: sessions.filter(filters[value].holds).length }));
  return (
    <section aria-labelledby="board">
      <div className="mb-3 flex min-h-7 flex-wrap items-center justify-between gap-2">
        <h2 id="board">Board</h2>
        <Segment label="Filter sessions" options={options} value={filter} onChange={setFilter} />
      </div>
      {shown.length === 0 ? (
        <Empty
          title={`No session is ${filters[filter].label.toLowerCase()}`}
          action={
            <Button size="sm" onClick={() => setFilter("all")}>
              Show all
            </Button>
          }
        >
          {`${sessions.length} of them are hidden by “${filters[filter].label}”.`}
        </Empty>
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(236px,1fr))] gap-3 max-rail:grid-cols-1 max-rail:gap-2">
          {shown.map((session) => (
            <li key={session.id} className="min-w-0">
              <SessionCard session={session} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
