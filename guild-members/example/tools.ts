import type { ExampleTool } from "./tool.ts";
import { compressText } from "./tools/compress-text.ts";
import { convertUnits } from "./tools/convert-units.ts";
import { countDown } from "./tools/count-down.ts";
import { countWords } from "./tools/count-words.ts";
import { divide } from "./tools/divide.ts";
import { drawChart } from "./tools/draw-chart.ts";
import { listFiles } from "./tools/list-files.ts";
import { listPrimes } from "./tools/list-primes.ts";
import { planTrip } from "./tools/plan-trip.ts";
import { playMelody } from "./tools/play-melody.ts";
import { rollDice } from "./tools/roll-dice.ts";
import { tellTime } from "./tools/tell-time.ts";
import { writeOutline } from "./tools/write-outline.ts";

/** Everything this member can do, in the order people see it. */
export const tools: readonly ExampleTool[] = [
  tellTime,
  countWords,
  convertUnits,
  divide,
  rollDice,
  planTrip,
  writeOutline,
  drawChart,
  playMelody,
  compressText,
  listFiles,
  listPrimes,
  countDown,
];
