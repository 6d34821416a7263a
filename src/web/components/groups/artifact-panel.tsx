"use client";

import type { SessionId } from "../../../schema/ids.ts";
import type { Artifacts } from "../../live/use-artifacts.ts";
import { useOpenArtifact } from "../../live/use-open-artifact.ts";
import type { SidePart } from "../../live/use-side-panel.ts";
import { ArtifactDialog } from "./artifact-dialog.tsx";
import { ArtifactRow } from "./artifact-row.tsx";
import { SessionPanelSection } from "./session-panel-section.tsx";

type ArtifactPanelProps = { sessionId: SessionId; artifacts: Artifacts; shown: SidePart };

/** The files of a session. One that is opened has an address of its own. */
export function ArtifactPanel({ sessionId, artifacts: { list, failure }, shown }: ArtifactPanelProps) {
  const [open, close] = useOpenArtifact();
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
      <ArtifactDialog
        sessionId={sessionId}
        path={open}
        artifact={artifacts.find(({ path }) => path === open)}
        isKnown={list !== null}
        onClose={close}
      />
    </SessionPanelSection>
  );
}
