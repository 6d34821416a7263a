"use client";

import { Download } from "lucide-react";
import { sizeOf } from "../../../schema/size.ts";
import { visibleText } from "../../format/visible-text.ts";
import type { ArtifactSource } from "../../live/artifact-source.ts";
import type { ShownArtifact } from "../../live/use-artifact-text.ts";
import { Age } from "../elements/age.tsx";
import { buttonClass } from "../elements/button.tsx";
import { Dialog } from "../elements/dialog.tsx";
import { Icon } from "../elements/icon.tsx";
import { ArtifactPreview } from "./artifact-preview.tsx";

type JobArtifactDialogProps = {
  source: ArtifactSource;
  /** What is to be shown; undefined for nothing. */
  artifact: ShownArtifact | undefined;
  onClose: () => void;
};

/** One file of a job: what it holds, as far as that can be shown without danger, and how to have it. */
export function JobArtifactDialog({ source, artifact, onClose }: JobArtifactDialogProps) {
  const name = artifact?.path.split("/").at(-1) ?? "";
  const footer =
    artifact === undefined ? undefined : (
      <a href={source.address(artifact.path)} download={name} className={buttonClass("primary", "md", "ml-auto")}>
        <Icon of={Download} className="size-[15px]" />
        Download
      </a>
    );
  return (
    <Dialog
      title={visibleText(name)}
      isOpen={artifact !== undefined}
      onClose={onClose}
      footer={footer}
      className="w-[min(980px,calc(100vw-24px))]! [&_h2]:min-w-0 [&_h2]:text-lg! [&_h2]:[overflow-wrap:anywhere]"
    >
      {artifact === undefined ? null : (
        <div className="px-5 pt-2 pb-5">
          <p className="mb-3 flex flex-wrap gap-x-3 text-xs text-ink-3 tabular-nums">
            <bdi className="[overflow-wrap:anywhere]">{visibleText(artifact.path)}</bdi>
            {artifact.size === null ? null : <span>{sizeOf(artifact.size)}</span>}
            <Age at={artifact.modifiedAt} />
          </p>
          <ArtifactPreview key={artifact.path} source={source} artifact={artifact} />
        </div>
      )}
    </Dialog>
  );
}
