"use client";

import type { Artifacts } from "../../live/use-artifacts.ts";
import type { SidePart } from "../../live/use-side-panel.ts";
import { ArtifactRow } from "./artifact-row.tsx";
import { SessionPanelSection } from "./session-panel-section.tsx";

/** The files of a session. One that is opened has an address of its own. */
export function ArtifactPanel({ artifacts: { list, failure }, shown }: { artifacts: Artifacts; shown: SidePart }) {
  const artifacts = list?.artifacts ?? [];
  return (
    <SessionPanelSection part="artifacts" title="Artifacts" aside={list === null ? undefined : artifacts.length} shown={shown}>
      {list !== null && artifacts.length === 0 ? (
        <p className="text-xs text-ink-3">No files yet. What the agent writes and what you attach to a message is kept here.</p>
      ) : null}
      <ul className="max-h-[320px] overflow-y-auto max-column:max-h-none">
        {artifacts.map((artifact) => (
          <ArtifactRow key={artifact.path} artifact={artifact} />
        ))}
      </ul>
      {list?.truncated === true ? (
        <p className="mt-1.5 text-xs text-ink-3">There is more in the folder than is listed here, such as links or a great many files.</p>
      ) : null}
      {failure === null ? null : (
        <p role="alert" className="mt-1.5 text-xs text-err">
          {failure}
        </p>
      )}
    </SessionPanelSection>
  );
}
