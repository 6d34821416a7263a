import { parseArgs } from "node:util";
import type { BenchRow } from "./bench-row.ts";
import { createEffort, effortOptions } from "./effort.ts";
import { parts } from "./parts.ts";
import { printTable } from "./print-table.ts";
import { keepResults, writeDocuments } from "./report/documents.ts";
import { startPart } from "./start-part.ts";

const help = `npm run bench -- [part …] [--write] [--trial] [--minutes N] | --draw

Measures side by side in one run, and says of each measurement whether its budget holds. Without a part: all of them.

  --write      keeps what was measured, and writes docs/performance.md and its chart
  --trial      a tenth of the rounds, to see that it works
  --minutes N  how long the hall is watched that has nothing to do (default: 20)
  --draw       measures nothing, and writes the page and its chart from what is kept

Parts:
${Object.entries(parts)
  .map(([name, { title }]) => `  ${name.padEnd(10)} ${title}`)
  .join("\n")}

Ends with exit code 0 where every budget holds, 1 where one does not or a part broke off, and 2 where it did not understand you.
`;

const { values, positionals: named } = readArguments();
const effort = createEffort(values);
const unknown = named.filter((name) => !(name in parts));
if (unknown.length > 0) refuse(`There is no part called ${unknown.join(", ")}.`);
if (!(effort.minutes > 0)) refuse("--minutes must be a number above 0.");

if (values.help) process.stdout.write(help);
else if (values.draw) await writeDocuments();
else process.exitCode = (await measure()) ? 0 : 1;

/** Whether all was measured and every budget holds. */
async function measure(): Promise<boolean> {
  const rows: BenchRow[] = [];
  const broken: string[] = [];
  for (const [name, { mostMinutes }] of Object.entries(parts)) {
    if (named.length > 0 && !named.includes(name)) continue;
    process.stderr.write(`${name} … `);
    const began = performance.now();
    const found = await startPart(name, { trial: values.trial, minutes: values.minutes, mostMinutes: mostMinutes(effort) });
    process.stderr.write(`${found === null ? "broke off after" : "took"} ${((performance.now() - began) / 60_000).toFixed(1)} minutes\n`);
    if (found === null) broken.push(name);
    // At once: a part that breaks off later does not take with it what took an hour.
    else if (values.write) await keepResults(name, found, effort);
    rows.push(...(found ?? []));
  }
  if (values.write) await writeDocuments();
  process.stdout.write(printTable(rows));
  if (broken.length > 0) process.stderr.write(`Not measured, because they broke off: ${broken.join(", ")}. What they said is above.\n`);
  const passed = rows.filter(({ holds }) => !holds).length;
  process.stderr.write(`${rows.length - passed} of ${rows.length} budgets hold.\n`);
  return broken.length === 0 && passed === 0;
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        ...effortOptions,
        write: { type: "boolean", default: false },
        draw: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\nSee: npm run bench -- --help\n`);
  process.exit(2);
}
