import type { Readable } from "node:stream";

/**
 * Reads one piece per turn of the event loop, and the next one only when the last is dealt with. A program that writes
 * without end would otherwise be read in long runs that nothing else gets in between; like this it waits for us, and
 * everybody else gets their turn.
 */
export function readPaced<Piece extends string | Buffer>(stream: Readable, onPiece: (piece: Piece) => void | Promise<void>): void {
  const goOn = () => void setImmediate(() => stream.resume());
  stream.on("data", (piece: Piece) => {
    stream.pause();
    void Promise.resolve(onPiece(piece)).then(goOn);
  });
  // A pipe that breaks has ended; what matters then is the process at its other end.
  stream.on("error", () => undefined);
}
