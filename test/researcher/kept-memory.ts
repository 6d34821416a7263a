import type { SpawnedResearcher } from "./researcher-process.ts";

/** With this in its environment a researcher tells at SIGUSR2 what it keeps. */
export const tellsWhatItKeeps = { NODE_OPTIONS: `--import=${new URL("heap-on-request.ts", import.meta.url).href}` };

/** In bytes, without what nobody refers to any more. */
export function keptBy({ child, lines }: Pick<SpawnedResearcher, "child" | "lines">): Promise<number> {
  const told = new Promise<number>((resolve) => {
    const hear = (line: string) => {
      const [, bytes] = /^Kept: (\d+) bytes$/.exec(line) ?? [];
      if (bytes === undefined) return;
      lines.off("line", hear);
      resolve(Number(bytes));
    };
    lines.on("line", hear);
  });
  child.kill("SIGUSR2");
  return told;
}
