"use client";

import { Download } from "lucide-react";
import type { Artifact, ArtifactPath } from "../../../schema/artifact.ts";
import type { SessionId } from "../../../schema/ids.ts";
import { sizeOf } from "../../../schema/size.ts";
import { visibleText } from "../../format/visible-text.ts";
import { sessionFiles } from "../../live/artifact-source.ts";
import { Age } from "../elements/age.tsx";
import { buttonClass } from "../elements/button.tsx";
import { CopyButton } from "../elements/copy-button.tsx";
import { Dialog } from "../elements/dialog.tsx";
import { Icon } from "../elements/icon.tsx";
import { ArtifactPreview } from "./artifact-preview.tsx";

type ArtifactDialogProps = {
  sessionId: SessionId;
  /** What is to be shown; null for nothing. */
  path: ArtifactPath | null;
  artifact: Artifact | undefined;
  /** Whether the list is read, so that what is not in it is not there. */
  isKnown: boolean;
  onClose: () => void;
};

/** One file: what it is, what it holds as far as that can be shown without danger, and how to have it. */
export function ArtifactDialog({ sessionId, path, artifact, isKnown, onClose }: ArtifactDialogProps) {
  const name = path?.split("/").at(-1) ?? "";
  const footer = artifact === undefined ? undefined : <Actions sessionId={sessionId} artifact={artifact} name={name} />;
  return (
    <Dialog
      title={visibleText(name)}
      isOpen={path !== null && isKnown}
      onClose={onClose}
      footer={footer}
      className="w-[min(980px,calc(100vw-24px))]! [&_h2]:min-w-0 [&_h2]:text-lg! [&_h2]:[overflow-wrap:anywhere]"
    >
      <div className="px-5 pt-2 pb-5">
        {artifact === undefined ? (
          <p>
            The session has no file <code>{visibleText(path ?? "")}</code> any more.
          </p>
        ) : (
          <>
            <p className="mb-3 flex flex-wrap gap-x-3 text-xs text-ink-3 tabular-nums">
              <bdi className="[overflow-wrap:anywhere]">artifacts/{visibleText(artifact.path.slice(0, -name.length))}</bdi>
              <span>{sizeOf(artifact.size)}</span>
              <Age at={artifact.modifiedAt} />
            </p>
            <ArtifactPreview key={artifact.path} source={sessionFiles(sessionId)} artifact={artifact} />
          </>
        )}
      </div>
    </Dialog>
  );
}

const Actions = ({ sessionId, artifact, name }: { sessionId: SessionId; artifact: Artifact; name: string }) => (
  <>
    <span className="ml-auto" />
    <CopyButton text={`artifacts/${artifact.path}`}>Copy path</CopyButton>
    <a href={sessionFiles(sessionId).address(artifact.path)} download={name} className={buttonClass("primary")}>
      <Icon of={Download} className="size-[15px]" />
      Download
    </a>
  </>
);
