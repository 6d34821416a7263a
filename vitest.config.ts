import { join, relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

// Most of what halls, commands and members of the suites do is to compile the same files: Node keeps what came of it here.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/guild-hall/compiled");

/** Long suites first: one that starts last would run alone at the end. */
const slowestFirst = [/^test\/package\//, /^test\/web\//, /^test\//, /^src\/adapters\/agent\//, /^src\/server\//, /^src\/adapters\//];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    return bySize.toSorted((a, b) => rank(a.moduleId) - rank(b.moduleId));
  }
}

function rank(file: string): number {
  const path = relative(import.meta.dirname, file);
  const found = slowestFirst.findIndex((pattern) => pattern.test(path));
  return found === -1 ? slowestFirst.length : found;
}

/** They leave nothing behind in their process, so the next of them can have it: to start one takes longer than most of them. */
const small = [
  ...["schema", "core", "client", "scripted-model", "cli", "web", "adapters/files"].map((folder) => `src/${folder}/**/*.test.ts`),
  "src/adapters/*.test.ts",
  "test/cli/**/*.test.ts",
  "test/architecture/**/*.test.ts",
  "test/*.test.ts",
];

/** They share a browser that is warm, and leave it as they found it: test/web/setup.ts sees to that. */
const web = ["test/web/**/*.test.ts"];

const never = ["**/node_modules/**", "**/.next/**", "dist/**", "bench/**"];

export default defineConfig({
  test: {
    environment: "node",
    projects: [
      { extends: true, test: { name: "small", include: small, isolate: false } },
      {
        extends: true,
        // They end the halls, members and agents that they started, so that the next of them can have their process: its setup sees to that.
        test: {
          name: "halls",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...never, ...small, ...web],
          isolate: false,
          setupFiles: ["test/server/setup.ts"],
        },
      },
      { extends: true, test: { name: "web", include: web, isolate: false, setupFiles: ["test/web/setup.ts"] } },
    ],
    setupFiles: ["test/setup.ts"],
    globalSetup: ["test/fill-compile-cache.ts"],
    sequence: { sequencer: SlowestFirst },
    // Asked for by `npm run coverage`, which adds what child processes ran. Pages are proven in a browser.
    coverage: {
      provider: "v8",
      reporter: ["json"],
      reportOnFailure: true,
      include: ["src/**/*.ts"],
      exclude: ["src/web/**", "**/*.{test,testing,fixture}.ts"],
    },
    pool: "forks",
    // One more than the cores of a small machine: suites wait for processes more than half of the time.
    maxWorkers: 3,
    // Of the tests in one file that run side by side, which are rounds of the fault suite.
    maxConcurrency: 3,
    // Suites start real processes, browsers and package installs, on machines that are busy with other things.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    // As patient as the suites: what is waited for comes at once on an idle machine, and later on a busy one.
    expect: { poll: { timeout: 30_000 } },
  },
});
