import type { FileHandle } from "node:fs/promises";
import type { ArtifactStore, OpenArtifact } from "../../core/session/artifact-store.ts";
import type { ArtifactPath } from "../../schema/artifact.ts";
import { HallError } from "../../schema/hall-error.ts";
import { artifactOf, listArtifacts } from "./artifact-list.ts";
import { createUploads } from "./artifact-uploads.ts";
import { fileFailure } from "./file-failure.ts";
import { systemCode } from "../system-code.ts";
import { inFolder } from "../paths/held-folder.ts";
import type { Layout } from "./layout.ts";

export type ArtifactFiles = ArtifactStore & {
  /** Removes what was begun to be sent long ago and never finished. */
  sweep(): Promise<void>;
};

/** The files below `artifacts/` of each session. `now` is a clock that never goes back. */
export function createArtifactFiles(layout: Layout, now: () => number = () => performance.now()): ArtifactFiles {
  const { receive, sweep } = createUploads(layout, now);
  return {
    list: (id) => listArtifacts(layout.session(id).artifacts),
    open: (id, path) => openArtifact(layout.session(id).artifacts, path),
    receive,
    sweep,
  };
}

async function openArtifact(root: string, path: ArtifactPath): Promise<OpenArtifact> {
  const names = path.split("/");
  const name = names.pop() ?? "";
  try {
    const opened = await inFolder(root, names, (folder) => folder.openFile(name));
    if (opened.file === null) throw new HallError("bad_request", `"${path}" is ${problems[opened.problem]}.`);
    const { file, stats } = opened;
    return { artifact: artifactOf(path, stats), read: (position, length) => readAt(file, position, length), close: () => file.close() };
  } catch (error) {
    throw refusal(error, path);
  }
}

const problems = { link: "a link, and links are not followed", folder: "a folder", special: "no file" };

async function readAt(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** A link on the way, or a file where a folder would have to be, is as good as nothing. */
function refusal(error: unknown, path: ArtifactPath): unknown {
  const nothing = ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO", "ENAMETOOLONG"];
  if (!nothing.includes(systemCode(error) ?? "")) return fileFailure(error, path);
  return new HallError("not_found", `This session has no artifact "${path}".`, { cause: error });
}
