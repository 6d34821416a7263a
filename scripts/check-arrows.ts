import { readImportGraph } from "./arrows/import-graph.ts";
import { findBreaches, rules } from "./arrows/rules.ts";

const graph = await readImportGraph(`${import.meta.dirname}/..`);
const breaches = findBreaches(graph);

for (const { rule, where, because } of breaches) console.error(`${where}\n  breaks ${rule}: ${because}\n`);
console.log(`${graph.modules.length} modules, ${graph.imports.length} imports, ${rules.length} rules: ${breaches.length} breaches.`);

// A reader that finds nothing would find no breach either.
if (graph.modules.length < 20)
  console.error("Too few modules were found for this to mean anything: is the reader looking at the right folder?");
process.exitCode = breaches.length > 0 || graph.modules.length < 20 ? 1 : 0;
