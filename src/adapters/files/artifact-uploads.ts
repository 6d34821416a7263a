import { link, open, stat, unlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { createTurns } from "../../core/in-turn.ts";
import type { ArtifactPiece } from "../../core/session/artifact-store.ts";
import { ArtifactPath, maxArtifactBytes } from "../../schema/artifact.ts";
import type { Artifact, ArtifactReceived } from "../../schema/artifact.ts";
import { HallError } from "../../schema/hall-error.ts";
import { newUploadId } from "../../schema/ids.ts";
import type { SessionId, UploadId } from "../../schema/ids.ts";
import { artifactOf } from "./artifact-list.ts";
import { makeFolder } from "./durable-write.ts";
import { fileFailure, systemCode } from "./file-failure.ts";
import { inFolder } from "./held-folder.ts";
import type { HeldFolder } from "./held-folder.ts";
import type { Layout } from "./layout.ts";
import { namesIn } from "./names-in.ts";

const mostAtOnce = 32;
const abandonedAfterMs = 60 * 60 * 1000;

/** Files on their way in. They grow outside of the session, and appear in it whole when their last piece has come. */
export function createUploads(layout: Layout) {
  const inTurn = createTurns<UploadId>();

  async function sweep(): Promise<void> {
    for (const { path, age } of await filesIn(layout.uploads)) if (age > abandonedAfterMs) await unlink(path).catch(unlessGone);
  }

  async function begin(id: SessionId): Promise<UploadId> {
    await sweep();
    await makeFolder(layout.uploads);
    if ((await filesIn(layout.uploads)).length >= mostAtOnce)
      throw new HallError("conflict", `${mostAtOnce} files are being sent already. Wait until one of them has arrived.`);
    const upload = newUploadId();
    await (await open(layout.upload(id, upload), "wx", 0o600)).close();
    return upload;
  }

  async function take(id: SessionId, upload: UploadId, { path, offset, data, done }: ArtifactPiece): Promise<ArtifactReceived> {
    const coming = layout.upload(id, upload);
    if (offset + data.length > maxArtifactBytes) {
      await unlink(coming).catch(unlessGone);
      throw new HallError("too_large", `"${path}" is larger than 100 MiB, which is the most a session takes.`);
    }
    const file = await open(coming, "r+");
    try {
      const received = await put(file, offset, data);
      if (!done) return { upload, received, artifact: null };
      await file.sync();
      return { upload, received, artifact: await place(coming, layout.session(id).artifacts, path) };
    } finally {
      await file.close();
    }
  }

  return {
    sweep,

    async receive(id: SessionId, piece: ArtifactPiece): Promise<ArtifactReceived> {
      if (piece.upload === undefined && piece.offset > 0) throw lost(piece.path);
      try {
        const upload = piece.upload ?? (await begin(id));
        return await inTurn(upload, () => take(id, upload, piece));
      } catch (error) {
        throw refusal(error, piece);
      }
    },
  };
}

/** Answers how much of the file is there. A piece that came before is put where it was. */
async function put(file: FileHandle, offset: number, data: Uint8Array): Promise<number> {
  const { size } = await file.stat();
  if (offset > size) throw new HallError("conflict", `${size} bytes of this file have come so far. Go on from there, not from ${offset}.`);
  for (let written = 0; written < data.length;) {
    written += (await file.write(data, written, data.length - written, offset + written)).bytesWritten;
  }
  return Math.max(size, offset + data.length);
}

/** Gives the file its name in the session, or the next one that is free. */
async function place(coming: string, root: string, path: ArtifactPath): Promise<Artifact> {
  const names = path.normalize("NFC").split("/");
  const name = names.pop() ?? "";
  const linked = async (folder: HeldFolder): Promise<Artifact> => {
    const taken = await linkUnderFreeName(coming, folder, name);
    await folder.flush();
    await unlink(coming).catch(unlessGone);
    return artifactOf(ArtifactPath.parse([...names, taken].join("/")), await stat(folder.at(taken)));
  };
  return inFolder(root, names, linked, { make: true });
}

const mostNumbers = 1_000;

async function linkUnderFreeName(coming: string, folder: HeldFolder, name: string): Promise<string> {
  for (let number = 1; number <= mostNumbers; number += 1) {
    const candidate = number === 1 ? name : numbered(name, number);
    try {
      await link(coming, folder.at(candidate));
      return candidate;
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw error;
    }
  }
  throw new HallError("conflict", `There are ${mostNumbers} files called "${name}" already. Choose another name.`);
}

/** `report (2).pdf` */
function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf(".");
  const at = dot > 0 ? dot : name.length;
  return `${name.slice(0, at)} (${number})${name.slice(at)}`;
}

async function filesIn(folder: string): Promise<{ path: string; age: number }[]> {
  const files = await Promise.all((await namesIn(folder)).map((name) => ageOf(join(folder, name))));
  return files.filter((file) => file !== null);
}

async function ageOf(path: string): Promise<{ path: string; age: number } | null> {
  try {
    return { path, age: Date.now() - (await stat(path)).mtimeMs };
  } catch (error) {
    unlessGone(error);
    return null;
  }
}

function unlessGone(error: unknown): void {
  if (systemCode(error) !== "ENOENT") throw error;
}

function refusal(error: unknown, { path, upload }: ArtifactPiece): unknown {
  const code = systemCode(error);
  if (code === "ENOENT" && upload !== undefined) return lost(path);
  if (code === "ENOTDIR" || code === "ELOOP") return new HallError("bad_request", `"${path}" leads through something that is no folder.`);
  if (code === "ENAMETOOLONG") return new HallError("bad_request", `"${path}" has a name that is too long for this disk.`);
  return fileFailure(error, path);
}

const lost = (path: string): HallError =>
  new HallError("not_found", `What was sent of "${path}" before is not here any more. Send the file again from its beginning.`);
