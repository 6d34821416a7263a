import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { z } from "zod";

export type ChildCoverage = {
  /** Reads and removes what processes have written, and answers how many of them are not done with it. */
  take(folder: string): Promise<number>;
  /** Whether any of them ran what stands there. */
  ran(file: string, offset: number): boolean;
};

/** What `NODE_V8_COVERAGE` writes, of which only the files below `source` are kept. Node strips types in place, so an offset of V8 is one of the file. */
export function createChildCoverage(source: string): ChildCoverage {
  const prefix = `${pathToFileURL(source).href}/`;
  const ran = new Map<string, Uint8Array>();
  return {
    async take(folder) {
      const written = (await readdir(folder)).filter((name) => name.endsWith(".json"));
      for (const name of written) {
        const scripts = await readScripts(join(folder, name), prefix);
        if (scripts === null) continue;
        for (const script of scripts) add(ran, fileURLToPath(script.url), paint(script));
        await rm(join(folder, name));
      }
      return (await readdir(folder)).length;
    },
    ran: (file, offset) => ran.get(file)?.[offset] === 1,
  };
}

const Script = z.object({
  url: z.string(),
  functions: z.array(z.object({ ranges: z.array(z.object({ startOffset: z.int(), endOffset: z.int(), count: z.number() })) })),
});
type Script = z.infer<typeof Script>;

const Written = z.object({ result: z.array(z.looseObject({ url: z.string() })) });

/** Null while it is being written. Most of it is about packages, which nobody wants to have checked. */
async function readScripts(path: string, prefix: string): Promise<Script[] | null> {
  const text = await readFile(path, "utf8");
  try {
    const { result } = Written.parse(JSON.parse(text));
    return result.filter(({ url }) => url.startsWith(prefix)).map((script) => Script.parse(script));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** One for each character that was run. V8 names what is around before what is inside, so the last range that holds a character counts. */
function paint({ functions }: Script): Uint8Array {
  const ranges = functions.flatMap((of) => of.ranges);
  const painted = new Uint8Array(Math.max(0, ...ranges.map(({ endOffset }) => endOffset)));
  for (const { startOffset, endOffset, count } of ranges) painted.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  return painted;
}

function add(ran: Map<string, Uint8Array>, file: string, painted: Uint8Array): void {
  const known = ran.get(file);
  if (known === undefined) ran.set(file, painted);
  else painted.forEach((one, at) => one === 1 && (known[at] = 1));
}
