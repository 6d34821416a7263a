"use client";

import { useState } from "react";
import { Artifact } from "../../../../schema/artifact.ts";
import { startState } from "../../../context/context-state.ts";
import type { ContextState } from "../../../context/context-state.ts";
import { ArtifactRow } from "../../groups/artifact-row.tsx";
import { AttachUploads } from "../../groups/attach-uploads.tsx";
import { ContextField } from "../../groups/context-field.tsx";
import { ContextSaved } from "../../groups/context-saved.tsx";
import { Stack } from "./arrange.tsx";

const nothing = () => {};

const base = { text: "# Plan\n\n## Goal\n- ship it\n", etag: "1" };
const saved: ContextState = { ...startState, base, text: base.text, savedAt: "2026-01-05T10:41:00.000Z" };
const states: ContextState[] = [
  saved,
  { ...saved, text: "# Plan B" },
  { ...saved, isSaving: true },
  { ...saved, failure: "The hall does not answer. What you wrote is still here." },
  { ...saved, text: "# Plan B", theirs: { text: "# Plan C", etag: "2" } },
];

export function ContextSamples() {
  const [text, setText] = useState(base.text);
  return (
    <Stack>
      <ContextField text={text} onType={setText} onLeave={nothing} />
      {states.map((state, at) => (
        <ContextSaved key={at} state={state} onCompare={nothing} onRetry={nothing} />
      ))}
    </Stack>
  );
}

const at = "2026-01-05T10:41:00.000Z";
const files = [
  { path: "reader-inventory.md", size: 1_400, modifiedAt: at, mimeType: "text/markdown" },
  { path: "device-lag-sample.csv", size: 38_000, modifiedAt: at, mimeType: "text/csv" },
  { path: "shots/before and after, in both themes and at every width.png", size: 2_100_000, modifiedAt: at, mimeType: "image/png" },
].map((file) => Artifact.parse(file));

export const ArtifactSamples = () => (
  <Stack>
    <ul className="px-1.5">
      {files.map((artifact) => (
        <ArtifactRow key={artifact.path} artifact={artifact} />
      ))}
    </ul>
    <AttachUploads
      attaching={{
        uploads: [
          { key: 1, name: "recording.log", size: 3_000_000, sent: 737_000, failure: null },
          { key: 2, name: "whole-disk.img", size: 9_000_000_000, sent: 0, failure: "It has 9000 MB. A file may have up to 105 MB." },
        ],
        add: nothing,
        dismiss: nothing,
      }}
    />
  </Stack>
);
