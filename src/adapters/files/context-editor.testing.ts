import { renameSync, readFileSync, writeFileSync } from "node:fs";

/** An editor: reads the file, adds a line, and puts the new one in its place, each time at another moment of the hall's writes. */
const [path = "", count = "0"] = process.argv.slice(2);

for (let at = 0; at < Number(count); at += 1) {
  letOthersWrite(((at * 37) % 80) / 10);
  writeFileSync(`${path}~`, `${read()}editor ${at}\n`);
  renameSync(`${path}~`, path);
}

function letOthersWrite(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

/** For a moment of each of the hall's writes there is no file; a person would look again. */
function read(): string {
  for (;;) {
    try {
      return readFileSync(path, "utf8");
    } catch {
      continue;
    }
  }
}
