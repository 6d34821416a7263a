import { useEffect, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { Artifact } from "../../schema/artifact.ts";
import type { SessionId } from "../../schema/ids.ts";
import { sentenceOf } from "../format/sentence-of.ts";

/** No more of a file is read than a page can show. */
export const mostBytes = 200_000;

export type ArtifactText =
  | { state: "reading" }
  | { state: "text"; text: string; isWhole: boolean }
  | { state: "binary" }
  | { state: "failed"; reason: string };

/** The beginning of a file as text, or that it is none. Read again when the file changes. */
export function useArtifactText(sessionId: SessionId, { path, size, modifiedAt }: Artifact): ArtifactText {
  const [text, setText] = useState<ArtifactText>({ state: "reading" });
  useEffect(() => {
    const leaving = new AbortController();
    const read = async (): Promise<ArtifactText> => {
      // There is no first byte to ask for.
      if (size === 0) return { state: "text", text: "", isWhole: true };
      const { artifacts } = createHallClient({ baseUrl: "" }).sessions;
      const response = await artifacts.read(sessionId, path, { most: mostBytes, signal: leaving.signal });
      return decoded(new Uint8Array(await response.arrayBuffer()), size);
    };
    read().then(setText, (error: unknown) => leaving.signal.aborted || setText({ state: "failed", reason: sentenceOf(error) }));
    return () => leaving.abort();
  }, [sessionId, path, size, modifiedAt]);
  return text;
}

function decoded(bytes: Uint8Array, size: number): ArtifactText {
  if (bytes.includes(0)) return { state: "binary" };
  try {
    // As a stream: the last character may be cut in the middle.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: bytes.length < size });
    return { state: "text", text, isWhole: bytes.length >= size };
  } catch (error) {
    if (error instanceof TypeError) return { state: "binary" };
    throw error;
  }
}
