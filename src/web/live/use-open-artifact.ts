import { useEffect, useState } from "react";
import { ArtifactPath } from "../../schema/artifact.ts";
import { addressPart } from "../../client/address-part.ts";

const mark = "#artifact=";

/** The address of an artifact on its session's page. */
export const artifactHash = (path: string): string => `${mark}${path.split("/").map(addressPart).join("/")}`;

/** The artifact that the address names, and how to go back to the session alone. */
export function useOpenArtifact(): [ArtifactPath | null, () => void] {
  const [open, setOpen] = useState<ArtifactPath | null>(null);
  useEffect(() => {
    const look = () => setOpen(pathOf(location.hash));
    look();
    window.addEventListener("hashchange", look);
    return () => window.removeEventListener("hashchange", look);
  }, []);
  const close = () => {
    // Without Next's own state, so that Next hears of it and does not write the address back later.
    history.replaceState(null, "", location.pathname + location.search);
    setOpen(null);
  };
  return [open, close];
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
