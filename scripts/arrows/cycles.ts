import type { ImportGraph } from "./import-graph.ts";

/** Each knot of modules that import each other, once, as the path of one way round. Type imports count: they tie files together too. */
export function findCycles({ modules, imports }: ImportGraph): string[][] {
  const next = new Map<string, string[]>(modules.map((module) => [module, []]));
  for (const { from, to, kind } of imports) if (kind === "file") next.get(from)?.push(to);

  const cycles: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];

  const visit = (module: string): void => {
    const seenAt = path.indexOf(module);
    if (seenAt !== -1) {
      cycles.push([...path.slice(seenAt), module]);
      return;
    }
    if (done.has(module)) return;
    path.push(module);
    for (const to of next.get(module) ?? []) visit(to);
    path.pop();
    done.add(module);
  };

  for (const module of modules) visit(module);
  return cycles;
}
