import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * What a Node process of ours is started with beside what the test wants: where it keeps what it compiled or, under `npm run coverage`,
 * where it writes which lines it ran. It is not both, because what comes out of a compile cache is counted less exactly. Workers of the
 * suite are not told of coverage as Node is, or else what the product starts would write it too.
 */
export function nodeEnvironment(): Record<string, string | undefined> {
  const { COVERAGE_OF_CHILDREN, NODE_COMPILE_CACHE } = process.env;
  return { ...noEnvFile, ...(COVERAGE_OF_CHILDREN === undefined ? { NODE_COMPILE_CACHE } : { NODE_V8_COVERAGE: COVERAGE_OF_CHILDREN }) };
}

/** The checkout may have a `.env.local` with a real key, which no test must use. */
export const noEnvFile = { GUILD_HALL_ENV_FILE: join(tmpdir(), "guild-hall-nobody/.env.local") };

/** For a process that nobody wants any more. One that is killed does not write which lines it ran. */
export const lastSignal = (): NodeJS.Signals => (process.env["COVERAGE_OF_CHILDREN"] === undefined ? "SIGKILL" : "SIGTERM");
