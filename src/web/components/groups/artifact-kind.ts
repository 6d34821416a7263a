import { File, FileArchive, FileImage, FileText, Table2 } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import type { Artifact } from "../../../schema/artifact.ts";

/** How a file is shown. What is no picture is text if its bytes are, whatever its name says. */
export type ArtifactKind = "picture" | "markdown" | "text" | "none";

/** Of pictures only those that are points and nothing else: a drawing can hold scripts and addresses. */
const pictures = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"]);

/** Formats that are never text, so that nothing has to be read to know it. */
const neverText = /^(?:audio|video|font)\/|^application\/(?:pdf|zip|gzip|x-tar|wasm)$/;

export function artifactKind({ mimeType }: Pick<Artifact, "mimeType">): ArtifactKind {
  if (pictures.has(mimeType)) return "picture";
  if (mimeType === "text/markdown") return "markdown";
  return neverText.test(mimeType) ? "none" : "text";
}

export function artifactIcon({ mimeType }: Pick<Artifact, "mimeType">): LucideIcon {
  if (mimeType.startsWith("image/")) return FileImage;
  if (mimeType === "text/csv" || mimeType === "text/tab-separated-values") return Table2;
  if (/zip|tar|compressed/.test(mimeType)) return FileArchive;
  return mimeType === "application/octet-stream" ? File : FileText;
}
