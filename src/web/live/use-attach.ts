import { useEffect, useRef, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import { maxArtifactBytes } from "../../schema/artifact.ts";
import type { SessionId } from "../../schema/ids.ts";
import { artifactNameOf } from "../format/artifact-name.ts";
import { sentenceOf } from "../format/sentence-of.ts";
import { sizeOf } from "../../schema/size.ts";

/** A file on its way into a session. `failure` says why it is not. */
export type Upload = { key: number; name: string; size: number; sent: number; failure: string | null };

export type Attaching = ReturnType<typeof useAttach>;

/** Puts files into a session, one after the other. `onAttached` hears under which path each of them is to be found. */
export function useAttach(id: SessionId, onAttached: (path: string) => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const attached = useRef(onAttached);
  const line = useRef({ tail: Promise.resolve(), next: 0, running: new Map<number, AbortController>() });
  useEffect(() => {
    attached.current = onAttached;
  });
  useEffect(() => {
    const { running } = line.current;
    return () => {
      for (const leaving of running.values()) leaving.abort();
    };
  }, [id]);

  const change = (key: number, changes: Partial<Upload>) =>
    setUploads((before) => before.map((upload) => (upload.key === key ? { ...upload, ...changes } : upload)));
  const drop = (key: number) => setUploads((before) => before.filter((upload) => upload.key !== key));

  async function send(key: number, file: File, { signal }: AbortController): Promise<void> {
    if (signal.aborted) return;
    try {
      const { artifacts } = createHallClient({ baseUrl: "" }).sessions;
      const { path } = await artifacts.add(id, artifactNameOf(file.name), file, {
        signal,
        onProgress: (sent) => change(key, { sent }),
      });
      drop(key);
      attached.current(`artifacts/${path}`);
    } catch (error) {
      if (signal.aborted) return;
      change(key, { failure: whyNot(error) });
    } finally {
      line.current.running.delete(key);
    }
  }

  return {
    uploads,
    add(files: Iterable<File>): void {
      for (const file of files) {
        const key = (line.current.next += 1);
        const failure =
          file.size > maxArtifactBytes ? `It has ${sizeOf(file.size)}. A file may have up to ${sizeOf(maxArtifactBytes)}.` : null;
        setUploads((before) => [...before, { key, name: file.name, size: file.size, sent: 0, failure }]);
        if (failure !== null) continue;
        const leaving = new AbortController();
        line.current.running.set(key, leaving);
        line.current.tail = line.current.tail.then(() => send(key, file, leaving));
      }
    },
    /** Stops it where it is under way, and takes it from the list. */
    dismiss(key: number): void {
      line.current.running.get(key)?.abort();
      line.current.running.delete(key);
      drop(key);
    },
  };
}

/** A folder, or a file that was moved away, cannot be read by the browser. */
const whyNot = (error: unknown): string =>
  error instanceof DOMException
    ? "It could not be read. Folders cannot be attached, and a file must still be where it was."
    : sentenceOf(error, "act");
