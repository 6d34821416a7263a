"use client";

import type { ModelInfo } from "../../../schema/health.ts";
import type { Session } from "../../../schema/session.ts";
import type { Artifacts } from "../../live/use-artifacts.ts";
import { useContextFile } from "../../live/use-context-file.ts";
import { useOpenArtifact } from "../../live/use-open-artifact.ts";
import type { SidePanel } from "../../live/use-side-panel.ts";
import { ArtifactDialog } from "./artifact-dialog.tsx";
import { ArtifactPanel } from "./artifact-panel.tsx";
import { ContextPanel } from "./context-panel.tsx";
import { LimitsPanel } from "./limits-panel.tsx";
import { SessionMembers } from "./session-members.tsx";
import { hiddenInColumn } from "./session-panel-section.tsx";
import { SessionPanelRoster } from "./session-panel-roster.tsx";

type SessionPanelProps = {
  session: Session;
  model: ModelInfo;
  panel: SidePanel;
  artifacts: Artifacts;
};

/** What there is beside a conversation: all of it in a column, or one part at a time where there is no room for two columns. */
export function SessionPanel({ session, model, panel, artifacts }: SessionPanelProps) {
  const context = useContextFile(session.id);
  const [open, close] = useOpenArtifact();
  const { part, isShown } = panel;
  return (
    <>
      <aside
        aria-label="Session"
        className={`min-h-0 min-w-0 overflow-y-auto border-line max-column:flex-1 column:border-l ${part === "talk" ? hiddenInColumn : ""} ${isShown ? "" : "column:hidden"}`}
      >
        <ContextPanel context={context} shown={part} />
        <SessionMembers session={session} shown={part} />
        <ArtifactPanel artifacts={artifacts} shown={part} />
        <LimitsPanel session={session} model={model} shown={part} />
        <SessionPanelRoster names={session.members} shown={part} />
      </aside>
      {/* Not inside: an address leads to a file also where the panel is not drawn. */}
      <ArtifactDialog
        sessionId={session.id}
        path={open}
        artifact={artifacts.list?.artifacts.find(({ path }) => path === open)}
        isKnown={artifacts.list !== null}
        onClose={close}
      />
    </>
  );
}
