import type { Readable } from "node:stream";

/** For what is only kept to be shown: about 3 MB a second at most, of which a person sees the end. */
export const restForLogsMs = 20;

/**
 * Reads one piece per turn of the event loop, and the next one only when the last is dealt with. A program that writes
 * without end would otherwise be read in long runs that nothing else gets in between; like this it waits for us, and
 * everybody else gets their turn. With a rest after each piece, it also cannot keep us busy: a pipe holds what comes
 * meanwhile, and when it is full the program waits.
 */
export function readPaced<Piece extends string | Buffer>(
  stream: Readable,
  onPiece: (piece: Piece) => void | Promise<void>,
  restMs: number | null = null,
): void {
  const resume = () => void stream.resume();
  const goOn = () => void (restMs === null ? setImmediate(resume) : setTimeout(resume, restMs));
  stream.on("data", (piece: Piece) => {
    stream.pause();
    void Promise.resolve(onPiece(piece)).then(goOn);
  });
  // A pipe that breaks has ended; what matters then is the process at its other end.
  stream.on("error", () => undefined);
}
