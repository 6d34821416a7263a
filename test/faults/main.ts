import { parseArgs } from "node:util";
import "../setup.ts";
import { kinds } from "./kinds.ts";
import { endRounds, playRound } from "./round.ts";

const help = `npm run faults -- [--kind <kind>] [--seed <number>] [--rounds <number>] [--short]

Breaks halls of its own again and again, and says what did not survive. A seed has the same round again.

  --kind <kind>      only this one; may be given several times
  --seed <number>    of the first round; the next round has the next one (default: 1)
  --rounds <number>  of each kind (default: 50)
  --short            rounds as \`npm test\` plays them: the same faults, and fewer sessions and jobs that meet them

Kinds:
${kinds.map(({ name, breaks }) => `  ${name.padEnd(20)} ${breaks}`).join("\n")}

Ends with exit code 0 where everything survived, 1 where something did not, and 2 where it did not understand you.
`;

const { values } = readArguments();
if (values.help) {
  process.stdout.write(help);
  process.exit();
}
const [firstSeed, rounds] = [Number(values.seed), Number(values.rounds)];
const unknown = values.kind.find((kind) => !kinds.some(({ name }) => name === kind));
if (unknown !== undefined) refuse(`There is no kind "${unknown}". It is one of: ${kinds.map(({ name }) => name).join(", ")}.`);
if (!Number.isSafeInteger(firstSeed) || !Number.isSafeInteger(rounds) || rounds < 1) refuse("--seed and --rounds must be whole numbers.");

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void endRounds().finally(() => process.exit(130)));

const table: { kind: string; faults: number; seconds: number; seeds: number[]; times: number[] }[] = [];
for (const kind of kinds.filter(({ name }) => values.kind.length === 0 || values.kind.includes(name))) {
  const began = performance.now();
  let faults = 0;
  const seeds: number[] = [];
  const times: number[] = [];
  for (let seed = firstSeed; seed < firstSeed + rounds; seed += 1) {
    const found = await playRound(kind, seed, { isShort: values.short, measured: (ms) => times.push(ms) });
    faults += found.length;
    if (found.length > 0) seeds.push(seed);
    process.stderr.write(`${kind.name}, seed ${seed}: ${found.length === 0 ? "everything survived" : found.join(" ")}\n`);
  }
  table.push({ kind: kind.name, faults, seconds: Math.round((performance.now() - began) / 1000), seeds, times });
}
process.stdout.write(rowOf("kind", ["rounds", "faults", "seconds"], "seeds"));
for (const { kind, faults, seconds, seeds } of table) process.stdout.write(rowOf(kind, [rounds, faults, seconds], seeds.join(" ")));
for (const { kind, times } of table) if (times.length > 0) process.stdout.write(timesOf(kind, times));
process.exitCode = table.every(({ faults }) => faults === 0) ? 0 : 1;

function readArguments() {
  try {
    return parseArgs({
      options: {
        seed: { type: "string", default: "1" },
        rounds: { type: "string", default: "50" },
        kind: { type: "string", multiple: true, default: [] },
        short: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\nSee: npm run faults -- --help\n`);
  process.exit(2);
}

/** What the kind measured, for example how long the last agent lived after its hall. */
function timesOf(kind: string, times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b).map((ms) => `${ms.toFixed(1)} ms`);
  return `${kind}: ${sorted.length} measured, median ${sorted[Math.floor(sorted.length / 2)]}, longest ${sorted.at(-1)}\n`;
}

function rowOf(kind: string, figures: readonly (number | string)[], seeds: string): string {
  return `${kind.padEnd(20)}${figures.map((figure) => String(figure).padStart(8)).join("")}  ${seeds}`.trimEnd().concat("\n");
}
