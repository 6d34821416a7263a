"use client";

import type { SidePanel, SidePart } from "../../live/use-side-panel.ts";
import { Segment } from "../elements/segment.tsx";
import type { SegmentOption } from "../elements/segment.tsx";

type SessionPanelTabsProps = { panel: SidePanel; members: number; /** Undefined until they are known. */ artifacts: number | undefined };

/** The parts of a session where there is no room for them side by side. */
export const SessionPanelTabs = ({ panel, members, artifacts }: SessionPanelTabsProps) => (
  <div className="border-b border-line px-6 py-1.5 max-rail:px-4 column:hidden">
    <Segment label="Session parts" options={partsOf(members, artifacts)} value={panel.part} onChange={panel.show} />
  </div>
);

const partsOf = (members: number, artifacts: number | undefined): SegmentOption<SidePart>[] => [
  { value: "talk", label: "Talk" },
  { value: "context", label: "Context" },
  { value: "members", label: "Members", count: members },
  { value: "artifacts", label: "Artifacts", ...(artifacts === undefined ? {} : { count: artifacts }) },
  { value: "cost", label: "Cost" },
];
