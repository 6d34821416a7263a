import { parse } from "node:path";
import { pino } from "pino";
import type { Logger } from "pino";
import { createStream } from "rotating-file-stream";

export type HallLog = { logger: Logger; flush(): Promise<void> };

type LogOptions = {
  path: string;
  level: string;
  megabytes: number;
  files: number;
  scrub: (text: string) => string;
};

/** JSON lines in a file, rotated by size to others beside it, with every credential taken out of the finished line. */
export function createHallLog({ path, level, megabytes, files, scrub }: LogOptions): HallLog {
  const { dir, base, name, ext } = parse(path);
  let hasFailed = false;
  const open = () => {
    const file = createStream((index) => (index === null ? base : `${name}.${Number(index)}${ext}`), {
      path: dir,
      size: `${megabytes}M`,
      rotate: files,
      mode: 0o600,
    });
    // A log that cannot be written (a full disk) must not take the hall down with it, and is tried again with the next line.
    return file.on("error", () => (hasFailed = true));
  };
  let file = open();

  const write = (line: string): void => {
    if (hasFailed) {
      hasFailed = false;
      file = open();
      // The last line may have come to the disk in part.
      file.write("\n");
    }
    file.write(scrub(line));
  };
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
  return { logger, flush: () => new Promise((resolve) => file.end(resolve)) };
}
