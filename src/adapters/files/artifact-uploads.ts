import { link, lstat, open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { createTurns } from "../../core/in-turn.ts";
import type { ArtifactPiece } from "../../core/session/artifact-store.ts";
import { ArtifactPath, maxArtifactBytes } from "../../schema/artifact.ts";
import type { Artifact, ArtifactReceived } from "../../schema/artifact.ts";
import { HallError } from "../../schema/hall-error.ts";
import { newUploadId } from "../../schema/ids.ts";
import type { SessionId, UploadId } from "../../schema/ids.ts";
import { artifactOf } from "./artifact-list.ts";
import { makeFolder } from "./durable-write.ts";
import { fileFailure } from "./file-failure.ts";
import { systemCode } from "../system-code.ts";
import { inFolder } from "../paths/held-folder.ts";
import type { HeldFolder } from "../paths/held-folder.ts";
import type { Layout } from "./layout.ts";
import { createUploadRoom } from "./upload-room.ts";

/** Files on their way in. They grow outside of the session, and appear in it whole when their last piece has come. */
export function createUploads(layout: Layout, now: () => number) {
  const inTurn = createTurns<UploadId>();
  const room = createUploadRoom(layout, now);

  async function begin(id: SessionId): Promise<UploadId> {
    await room.sweep();
    await makeFolder(layout.uploads);
    const upload = newUploadId();
    await room.enter(id, async () => {
      const path = layout.upload(id, upload);
      room.touch(path);
      await (await open(path, "wx", 0o600)).close();
    });
    return upload;
  }

  async function take(id: SessionId, upload: UploadId, piece: ArtifactPiece): Promise<ArtifactReceived> {
    const coming = layout.upload(id, upload);
    const { path, offset, data } = piece;
    if (offset + data.length > maxArtifactBytes) {
      await room.remove(coming);
      throw new HallError("too_large", `"${path}" is larger than 100 MiB, which is the most a session takes.`);
    }
    const file = await open(coming, "r+");
    try {
      room.touch(coming);
      await refuseGap(file, offset);
      return await add(file, { coming, id, upload, piece }).catch(async (error: unknown) => {
        await room.remove(coming);
        throw error;
      });
    } finally {
      await file.close();
    }
  }

  /** A failure in here is final: `take` removes the file. */
  async function add(file: FileHandle, { coming, id, upload, piece }: Addition): Promise<ArtifactReceived> {
    const { path, offset, data, done } = piece;
    const received = await put(file, offset, data);
    if (!done) return { upload, received, artifact: null };
    await file.sync();
    const artifact = await place(coming, layout.session(id).artifacts, path);
    await room.remove(coming);
    return { upload, received, artifact };
  }

  return {
    sweep: room.sweep,

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

type Addition = { coming: string; id: SessionId; upload: UploadId; piece: ArtifactPiece };

async function refuseGap(file: FileHandle, offset: number): Promise<void> {
  const { size } = await file.stat();
  if (offset > size) throw new HallError("conflict", `${size} bytes of this file have come so far. Go on from there, not from ${offset}.`);
}

/** Returns the size of the file. A piece that came before is written to the same place again. */
async function put(file: FileHandle, offset: number, data: Uint8Array): Promise<number> {
  const { size } = await file.stat();
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
    return artifactOf(ArtifactPath.parse([...names, taken].join("/")), await lstat(folder.at(taken)));
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

function refusal(error: unknown, { path, upload }: ArtifactPiece): unknown {
  const code = systemCode(error);
  if (code === "ENOENT" && upload !== undefined) return lost(path);
  if (code === "ENOTDIR" || code === "ELOOP") return new HallError("bad_request", `"${path}" leads through something that is no folder.`);
  if (code === "ENAMETOOLONG") return new HallError("bad_request", `"${path}" has a name that is too long for this disk.`);
  return fileFailure(error, path);
}

const lost = (path: string): HallError =>
  new HallError("not_found", `What was sent of "${path}" before is not here any more. Send the file again from its beginning.`);
