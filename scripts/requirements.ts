import { collectCitations } from "../test/requirement-citations.ts";
import { finishedWaves, requirements, waves } from "../test/requirements.ts";

const citations = Map.groupBy(await collectCitations(`${import.meta.dirname}/..`), ({ id }) => id);

for (const wave of waves) {
  const entries = Object.entries(requirements).filter(([, [of]]) => of === wave);
  const proven = entries.filter(([id]) => citations.has(id));
  console.log(`\n${wave}${finishedWaves.includes(wave) ? " (finished)" : ""}: ${proven.length} of ${entries.length} have a test\n`);
  for (const [id, [, title]] of entries) {
    console.log(`${citations.has(id) ? "✓" : "·"} ${id.padEnd(20)} ${title}`);
    for (const { file, test } of citations.get(id) ?? []) console.log(`    ${file}: ${test}`);
  }
}

const known = Object.keys(requirements);
const left = known.filter((id) => !citations.has(id));
console.log(`\n${known.length - left.length} of ${known.length} requirements have a test; ${left.length} are still to come.`);
