import { findCycles } from "./cycles.ts";
import type { Import, ImportGraph } from "./import-graph.ts";
import { areaOf, isTestCode, layerOf, layers, unitOf } from "./layers.ts";

export type Breach = { rule: string; because: string; where: string };

export function findBreaches(graph: ImportGraph): Breach[] {
  return rules.flatMap(({ name, because, broken }) => broken(graph).map((where) => ({ rule: name, because, where })));
}

type Rule = { name: string; because: string; broken(graph: ImportGraph): string[] };

const agentSdk = "@anthropic-ai/claude-agent-sdk";
const testPackages = ["vitest", "fast-check", "playwright-core", "@sparticuz/chromium", "axe-core"];

/** Where the hall is put together, and where commands look at a machine on which none runs. */
const composers = ["src/server/compose.ts", "src/server/compose/", "src/server/without-hall.ts"];

/** Areas of core that hold the ports the other areas are written against. */
const portAreas = ["src/core/agent", "src/core/engine", "src/core/run", "src/core/worker"];

/** Areas that the other adapters stand on: the child processes and the folders that several of them work with. */
const sharedAdapters = ["src/adapters/paths", "src/adapters/processes"];

/** Layers that run anywhere, browsers included, and the npm packages they may use. */
const portable: Record<string, readonly string[]> = {
  "src/schema": ["zod", "ulid"],
  "src/core": ["zod"],
  "src/client": ["zod", "eventsource-parser"],
};

/** Every arrow we promise. Tests import what they test, so most rules look at product code only. */
export const rules: readonly Rule[] = [
  {
    name: "layers-are-listed",
    because: "a new folder of src says in scripts/arrows/layers.ts what it may see",
    broken: ({ modules }) => modules.filter((module) => layerOf(module) !== null && layers[layerOf(module) ?? ""] === undefined),
  },
  ...Object.entries(layers).map(([layer, { rule, because, sees }]) =>
    productEdge(rule, because, ({ from, to }) => {
      if (layerOf(from) !== layer || unitOf(to) === null || unitOf(to) === unitOf(from)) return false;
      return !sees.some((seen) => to === seen || to.startsWith(`${seen}/`));
    }),
  ),
  ...Object.entries(portable).map(([layer, packages]) =>
    productEdge(
      `${layer.replace("src/", "")}-runs-anywhere`,
      `no node:, and of npm only ${packages.join(" and ")}`,
      ({ from, to, kind }) => {
        return layerOf(from) === layer && (kind === "node" || (kind === "package" && !packages.includes(to)));
      },
    ),
  ),
  productEdge("core-areas-are-peers", "an area can be read alone; what two of them share is a port or a schema", ({ from, to }) => {
    return areDifferentAreas("src/core", from, to) && !portAreas.includes(areaOf("src/core", to) ?? "");
  }),
  productEdge(
    "adapters-are-peers",
    "each stands for one outside thing and can be replaced alone; paths and processes serve all",
    ({ from, to }) => {
      return areDifferentAreas("src/adapters", from, to) && !sharedAdapters.includes(areaOf("src/adapters", to) ?? "");
    },
  ),
  productEdge("only-compose-builds-adapters", "one place decides what the hall is made of; others may name types", (edge) => {
    if (layerOf(edge.from) !== "src/server" || composers.some((place) => edge.from.startsWith(place))) return false;
    return edge.to.startsWith("src/adapters/") && !edge.typeOnly;
  }),
  productEdge("only-the-agent-adapter-imports-the-sdk", "one boundary turns the SDK's world into ours", ({ from, to }) => {
    return to === agentSdk && from.startsWith("src/") && areaOf("src/adapters", from) !== "src/adapters/agent";
  }),
  productEdge("react-stays-in-web", "the hall works without a browser", ({ from, to }) => {
    return /^(react|react-dom|lucide-react)$/.test(to) && layerOf(from) !== "src/web";
  }),
  productEdge("elements-and-groups-do-not-ask-the-hall", "what they show is given to them; src/web/live asks", ({ from, to }) => {
    return /^src\/web\/components\/(elements|groups)\//.test(from) && to === "src/client/hall-client.ts";
  }),
  productEdge("only-pages-know-components", "what a page reads, thinks and formats does not depend on how it looks", ({ from, to }) => {
    return /^src\/web\/(?!app\/|components\/)/.test(from) && to.startsWith("src/web/components/");
  }),
  productEdge("product-does-not-import-tests", "what is shipped does not lean on what is not", ({ to, kind }) => {
    return kind === "package" ? testPackages.includes(to) : isTestCode(to) || /^(scripts|bench)\//.test(to);
  }),
  edge("imports-name-their-file", "an import is the path of a file that exists, extension included; there are no aliases", ({ kind }) => {
    return kind === "missing";
  }),
  {
    name: "no-cycles",
    because: "two files that need each other are one file, or three",
    broken: (graph) => findCycles(graph).map((cycle) => cycle.join(" → ")),
  },
];

function edge(name: string, because: string, isBreach: (edge: Import) => boolean): Rule {
  return { name, because, broken: ({ imports }) => imports.filter(isBreach).map(({ from, to }) => `${from} → ${to}`) };
}

function productEdge(name: string, because: string, isBreach: (edge: Import) => boolean): Rule {
  return edge(name, because, (found) => unitOf(found.from) !== null && !isTestCode(found.from) && isBreach(found));
}

function areDifferentAreas(layer: string, from: string, to: string): boolean {
  const [a, b] = [areaOf(layer, from), areaOf(layer, to)];
  return a !== null && b !== null && a !== b;
}
