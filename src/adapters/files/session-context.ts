import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { createTurns } from "../../core/in-turn.ts";
import type { ContextFile, ContextStore } from "../../core/session/context-store.ts";
import { maxContextBytes } from "../../schema/context.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { SessionId } from "../../schema/ids.ts";
import { settleAside, swapFile } from "./context-swap.ts";
import { watchContext } from "./context-watch.ts";
import { fileFailure } from "./file-failure.ts";
import { systemCode } from "../system-code.ts";
import type { Layout } from "./layout.ts";

export type ContextFiles = ContextStore & {
  /** Calls back soon after somebody else changed the file, until what this answers is called. Our own writes are no news. */
  watch(id: SessionId, onChange: () => void): () => void;
};

/** The context files of sessions, as they are on the disk at each moment. */
export function createContextFiles({ layout, onProblem }: { layout: Layout; onProblem: (error: unknown) => void }): ContextFiles {
  const inTurn = createTurns<SessionId>();
  const watches = new Map<SessionId, Set<(etag: string) => void>>();
  // In turn with writes: for a moment of each there is no file.
  const read = (id: SessionId): Promise<ContextFile> =>
    inTurn(id, async () => {
      const { text, etag } = await readSettled(layout.session(id).context);
      return { text, etag };
    });

  async function replace(id: SessionId, text: string, ifMatch: string | undefined): Promise<{ etag: string }> {
    const path = layout.session(id).context;
    const bytes = Buffer.from(text);
    const etag = etagOf(bytes);
    if (bytes.length > maxContextBytes) throw tooLarge(path, bytes.length);
    for (;;) {
      const present = await readSettled(path);
      if (!mayReplace(present, ifMatch)) throw changed(present);
      const isSwapped = await swapFile({
        path,
        data: bytes,
        isThere: present.isThere,
        isExpected: async (movedTo) => (await readContext(movedTo)).etag === present.etag,
        onChange: () => watches.get(id)?.forEach((know) => know(etag)),
      });
      if (isSwapped) return { etag };
    }
  }

  return {
    read,
    write: (id, text, { ifMatch } = {}) => inTurn(id, () => replace(id, text, ifMatch)),

    watch(id, onChange) {
      const etag = () => read(id).then((file) => file.etag);
      const watching = watchContext(layout.session(id).context, { etag, onChange, onProblem });
      const ofSession = watches.get(id) ?? new Set();
      watches.set(id, ofSession.add(watching.know));
      return () => {
        watching.close();
        ofSession.delete(watching.know);
        if (ofSession.size === 0) watches.delete(id);
      };
    },
  };
}

type Present = ContextFile & { isThere: boolean };

function mayReplace({ etag, isThere }: Present, ifMatch: string | undefined): boolean {
  if (ifMatch === undefined) return !isThere;
  return ifMatch === "*" ? isThere : ifMatch === etag;
}

const changed = ({ text, etag }: Present): HallError =>
  new HallError("precondition_failed", "The context file is not what this change was made on. Read it again and put the change into it.", {
    details: { text, etag },
  });

async function readSettled(path: string): Promise<Present> {
  await settleAside(path).catch((error: unknown) => {
    throw fileFailure(error, path);
  });
  return readContext(path);
}

async function readContext(path: string): Promise<Present> {
  const bytes = await readPlainFile(path);
  if (bytes === null) return { text: "", etag: etagOf(Buffer.alloc(0)), isThere: false };
  try {
    // A mark at the beginning is kept, so that what is written back is what was there.
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), etag: etagOf(bytes), isThere: true };
  } catch (cause) {
    throw broken(path, "is not text in UTF-8. Save it as UTF-8 in an editor, or move it away", cause);
  }
}

/** Null where there is none. Nothing that stands there instead, a pipe for instance, can make this wait. */
async function readPlainFile(path: string): Promise<Buffer | null> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile()) throw broken(path, "is no file. Move it away");
    if (stats.size > maxContextBytes) throw tooLarge(path, stats.size);
    const bytes = await file.readFile();
    if (bytes.length > maxContextBytes) throw tooLarge(path, bytes.length);
    return bytes;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    if (systemCode(error) === "ELOOP") throw broken(path, "is a link, and links are not followed here. Put the file itself there", error);
    if (systemCode(error) === "ENXIO") throw broken(path, "is no file. Move it away", error);
    throw fileFailure(error, path);
  } finally {
    await file?.close();
  }
}

const etagOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex").slice(0, 32);

const broken = (path: string, what: string, cause?: unknown): HallError =>
  new HallError("file_broken", `${path} ${what}.`, { cause, details: { path } });

const tooLarge = (path: string, bytes: number): HallError =>
  new HallError(
    "too_large",
    `${path}: ${bytes} bytes are too many for a context file, which has at most 1 MiB. Put the rest into artifacts/.`,
  );
