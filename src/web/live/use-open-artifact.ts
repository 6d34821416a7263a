import { useSyncExternalStore } from "react";
import { ArtifactPath } from "../../schema/artifact.ts";

const mark = "#artifact=";

/** The address of an artifact on its session's page. */
export const artifactHash = (path: string): string => `${mark}${path.split("/").map(encodeURIComponent).join("/")}`;

/** The artifact that the address names, and how to go back to the session alone. */
export function useOpenArtifact(): [ArtifactPath | null, () => void] {
  const hash = useSyncExternalStore(
    subscribe,
    () => location.hash,
    () => "",
  );
  return [pathOf(hash), close];
}

function pathOf(hash: string): ArtifactPath | null {
  if (!hash.startsWith(mark)) return null;
  const path = ArtifactPath.safeParse(decoded(hash.slice(mark.length)));
  return path.success ? path.data : null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function close(): void {
  history.replaceState(history.state, "", location.pathname + location.search);
  // Replacing the address is no navigation, so the browser tells nobody.
  window.dispatchEvent(new Event("hashchange"));
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("hashchange", onChange);
  window.addEventListener("popstate", onChange);
  return () => {
    window.removeEventListener("hashchange", onChange);
    window.removeEventListener("popstate", onChange);
  };
}
