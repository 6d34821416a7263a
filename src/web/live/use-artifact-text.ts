import { useEffect, useEffectEvent, useState } from "react";
import type { Artifact } from "../../schema/artifact.ts";
import { sentenceOf } from "../format/sentence-of.ts";
import type { ArtifactSource } from "./artifact-source.ts";

/** No more of a file is read than a page can show. */
export const mostBytes = 200_000;

/** A file whose size nobody told is as large as it turns out to be. */
export type ShownArtifact = Pick<Artifact, "modifiedAt" | "mimeType"> & { path: string; size: number | null };

export type ArtifactText =
  | { state: "reading" }
  | { state: "text"; text: string; isWhole: boolean }
  | { state: "binary" }
  | { state: "failed"; reason: string };

/** The beginning of a file as text, or that it is none. Read again when the file changes. */
export function useArtifactText(source: ArtifactSource, { path, size, modifiedAt }: ShownArtifact): ArtifactText {
  const [text, setText] = useState<ArtifactText>({ state: "reading" });
  const address = source.address(path);
  const ask = useEffectEvent((signal: AbortSignal) => source.read(path, { most: mostBytes, signal }));
  useEffect(() => {
    const leaving = new AbortController();
    const read = async (): Promise<ArtifactText> => {
      // There is no first byte to ask for.
      if (size === 0) return { state: "text", text: "", isWhole: true };
      const response = await ask(leaving.signal);
      return decoded(new Uint8Array(await response.arrayBuffer()), size);
    };
    read().then(setText, (error: unknown) => leaving.signal.aborted || setText({ state: "failed", reason: sentenceOf(error, "read") }));
    return () => leaving.abort();
  }, [address, size, modifiedAt]);
  return text;
}

function decoded(bytes: Uint8Array, size: number | null): ArtifactText {
  const isWhole = size === null ? bytes.length < mostBytes : bytes.length >= size;
  if (bytes.includes(0)) return { state: "binary" };
  try {
    // As a stream: the last character may be cut in the middle.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !isWhole });
    return { state: "text", text, isWhole };
  } catch (error) {
    if (error instanceof TypeError) return { state: "binary" };
    throw error;
  }
}
