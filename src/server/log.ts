import { pino } from "pino";
import type { Logger } from "pino";
import { createStream } from "rotating-file-stream";

export type HallLog = { logger: Logger; flush(): Promise<void> };

type LogOptions = {
  folder: string;
  level: string;
  megabytes: number;
  files: number;
  scrub: (text: string) => string;
};

/** JSON lines in `hall.log`, rotated by size, with every credential taken out of the finished line. */
export function createHallLog({ folder, level, megabytes, files, scrub }: LogOptions): HallLog {
  const file = createStream((index) => (index === null ? "hall.log" : `hall.${Number(index)}.log`), {
    path: folder,
    size: `${megabytes}M`,
    rotate: files,
    mode: 0o600,
  });
  // A log that cannot be written (a full disk) must not take the hall down with it.
  file.on("error", () => undefined);
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write: (line) => void file.write(scrub(line)) });
  return { logger, flush: () => new Promise((resolve) => file.end(resolve)) };
}
