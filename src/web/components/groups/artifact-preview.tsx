"use client";

import { useState } from "react";
import type { ReactNode } from "react";
import { sizeOf } from "../../../schema/size.ts";
import { visibleText } from "../../format/visible-text.ts";
import type { ArtifactSource } from "../../live/artifact-source.ts";
import { mostBytes, useArtifactText } from "../../live/use-artifact-text.ts";
import type { ShownArtifact } from "../../live/use-artifact-text.ts";
import { Code } from "../elements/code.tsx";
import { Segment } from "../elements/segment.tsx";
import { Skeleton } from "../elements/skeleton.tsx";
import { artifactKind } from "./artifact-kind.ts";
import { Markdown } from "./markdown.tsx";
import { addressPart } from "../../../client/address-part.ts";

type ArtifactPreviewProps = { source: ArtifactSource; artifact: ShownArtifact };

/** What a file holds, shown so that nothing in it can act: points of a picture, or letters. */
export function ArtifactPreview({ source, artifact }: ArtifactPreviewProps) {
  switch (artifactKind(artifact)) {
    case "picture":
      // What one version of it was says nothing of the next.
      return <PicturePreview key={artifact.modifiedAt} source={source} artifact={artifact} />;
    case "markdown":
    case "text":
      return <TextPreview source={source} artifact={artifact} />;
    case "none":
      return <NoPreview>Files of this kind are not shown here. Download it to look at it.</NoPreview>;
  }
}

function PicturePreview({ source, artifact }: ArtifactPreviewProps) {
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken) return <NoPreview>This is not the picture that its name says. Download it to look at it.</NoPreview>;
  return (
    // oxlint-disable-next-line nextjs/no-img-element -- the hall has no smaller version to offer
    <img
      // The address says which version, so that a new one is fetched.
      src={`${source.address(artifact.path)}?at=${addressPart(artifact.modifiedAt)}`}
      alt={`Artifact ${visibleText(artifact.path)}`}
      onError={() => setIsBroken(true)}
      className="h-auto max-h-[60vh] max-w-full rounded-2 border border-line bg-surface"
    />
  );
}

function TextPreview({ source, artifact }: ArtifactPreviewProps) {
  const content = useArtifactText(source, artifact);
  const [view, setView] = useState<"read" | "source">(artifactKind(artifact) === "markdown" ? "read" : "source");
  if (content.state === "reading") return <Skeleton width="60%" />;
  if (content.state === "failed") return <NoPreview>{content.reason}</NoPreview>;
  if (content.state === "binary") return <NoPreview>This is no text. Download it to look at it.</NoPreview>;
  if (content.text === "") return <NoPreview>It is empty.</NoPreview>;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {artifactKind(artifact) === "markdown" ? (
        <div>
          <Segment label="How to show it" options={views} value={view} onChange={setView} />
        </div>
      ) : null}
      {view === "read" ? (
        <div className="max-h-[60vh] overflow-auto">
          <Markdown text={content.text} />
        </div>
      ) : (
        <Code label={`Content of ${visibleText(artifact.path)}`} className="max-h-[60vh] border border-line">
          {visibleText(content.text)}
        </Code>
      )}
      {content.isWhole ? null : (
        <p className="text-xs text-ink-2">
          This is the first {sizeOf(mostBytes)}
          {artifact.size === null ? "" : ` of ${sizeOf(artifact.size)}`}. Download it to have all of it.
        </p>
      )}
    </div>
  );
}

const views = [
  { value: "read", label: "Formatted" },
  { value: "source", label: "Source" },
] as const;

const NoPreview = ({ children }: { children: ReactNode }) => (
  <p className="rounded-3 border border-dashed border-line-strong p-5 text-ink-2">{children}</p>
);
