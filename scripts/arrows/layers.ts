/** What each folder of the product may see beside itself: the architecture in one table. */
export const layers: Record<string, Layer> = {
  "src/schema": {
    rule: "schema-is-a-leaf",
    sees: [],
    because: "everybody can read the contract without reading anything else",
  },
  "src/core": {
    rule: "core-sees-schema",
    sees: ["src/schema"],
    because: "the domain knows the contract and nothing of the world",
  },
  "src/adapters": {
    rule: "adapters-see-core",
    sees: ["src/core", "src/schema"],
    because: "an adapter implements core's ports and knows nobody who uses it",
  },
  "src/scripted-model": {
    rule: "scripted-model-sees-core",
    sees: ["src/core", "src/schema"],
    because: "it stands in for a model, so it must not know the hall",
  },
  "src/server": {
    rule: "server-sees-no-clients",
    sees: ["src/adapters", "src/scripted-model", "src/core", "src/schema"],
    because: "the hall is asked by its clients and never asks them",
  },
  "src/client": {
    rule: "client-sees-schema",
    sees: ["src/schema"],
    because: "the client runs in browsers and speaks to a hall over HTTP alone",
  },
  "src/cli": {
    rule: "cli-sees-client-and-four-entries",
    sees: [
      "src/client",
      "src/schema",
      "src/server/main.ts",
      "src/server/without-hall.ts",
      "src/server/doctor/doctor.ts",
      "src/server/compose/rehearsal.ts",
    ],
    because: "a command asks the hall through the client; only to start one, or where none runs, it needs the hall's own code",
  },
  "src/web": {
    rule: "web-sees-client",
    sees: ["src/client", "src/schema"],
    because: "a page asks the hall through the client, like every other program",
  },
  "guild-members": {
    rule: "members-stand-alone",
    sees: [],
    because: "a guild member is a program of its own, which people copy out of here",
  },
  templates: {
    rule: "templates-stand-alone",
    sees: [],
    because: "what is begun from a template lies in a home folder, where nothing of the hall is beside it",
  },
};

type Layer = { rule: string; sees: readonly string[]; because: string };

/** The unit a file belongs to: a folder of `src`, one guild member or one template. Null outside the product. */
export function unitOf(path: string): string | null {
  return /^(src|guild-members|templates)\/[^/]+/.exec(path)?.[0] ?? null;
}

/** The entry of `layers` that governs a unit. */
export function layerOf(path: string): string | null {
  const unit = unitOf(path);
  return /^(guild-members|templates)(?=\/)/.exec(unit ?? "")?.[0] ?? unit;
}

/** The folder inside a layer, such as `src/core/session`. Null for a file that lies in the layer itself. */
export function areaOf(layer: string, path: string): string | null {
  if (!path.startsWith(`${layer}/`)) return null;
  const [area, file] = path.slice(layer.length + 1).split("/");
  return area === undefined || file === undefined ? null : `${layer}/${area}`;
}

/** Test files, and the shared ground they stand on (`failing-disk.testing.ts`, `job-engine-conformance.testing.ts`). */
export function isTestCode(path: string): boolean {
  return path.startsWith("test/") || /(\.test\.tsx?|\.(testing|fixture)\.ts)$/.test(path);
}
