import { useCallback, useEffect, useRef, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { ArtifactList } from "../../schema/artifact.ts";
import type { SessionId } from "../../schema/ids.ts";
import { sentenceOf } from "../format/sentence-of.ts";
import { useLatestReading } from "./latest-reading.ts";
import { useHallNews } from "./live-provider.tsx";
import { useIsVisible } from "./use-is-visible.ts";

/** `list` is null until it is read for the first time. */
export type Artifacts = { list: ArtifactList | null; failure: string | null };

/** The files of a session as they are now. A tab out of sight reads again when it is looked at. */
export function useArtifacts(id: SessionId): Artifacts {
  const [artifacts, setArtifacts] = useState<Artifacts>({ list: null, failure: null });
  const isVisible = useIsVisible();
  const hasMissed = useRef(true);
  const takeLatest = useLatestReading();

  const read = useCallback(() => {
    const reading = createHallClient({ baseUrl: "" })
      .sessions.artifacts.list(id)
      .then(
        (list) => ({ list, failure: null }),
        (error: unknown) => ({ failure: sentenceOf(error, "read") }),
      );
    return takeLatest(reading, (next) => setArtifacts((before) => ({ ...before, ...next })));
  }, [id, takeLatest]);

  useHallNews((news) => {
    if (news.news === "offline") return;
    if (news.news === "event" && (news.event.event !== "session" || news.event.data.id !== id)) return;
    if (news.news === "event" && news.event.event === "session" && news.event.data.part !== "artifacts") return;
    if (isVisible) void read();
    else hasMissed.current = true;
  });
  useEffect(() => {
    if (!isVisible || !hasMissed.current) return;
    hasMissed.current = false;
    void read();
  }, [isVisible, read]);
  return artifacts;
}
