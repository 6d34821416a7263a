/**
 * Runs before every test file. Whatever keys and settings the person has, no test and no process a test starts sees
 * them, and a model call that nobody scripted meets a closed port on loopback.
 */
const personal = /^(ANTHROPIC|CLAUDE|GUILD_HALL)_|^CLAUDECODE$|^IS_SANDBOX$|^AWS_BEARER_TOKEN_BEDROCK$/;

for (const name of Object.keys(process.env)) {
  if (personal.test(name)) delete process.env[name];
}

/**
 * Set by `npm run coverage`: Vitest counts what its workers run, and Node what the processes run that they start. What comes out of
 * a compile cache is counted less exactly.
 */
const { COVERAGE_OF_CHILDREN } = process.env;
if (COVERAGE_OF_CHILDREN !== undefined) {
  process.env["NODE_V8_COVERAGE"] = COVERAGE_OF_CHILDREN;
  delete process.env["NODE_COMPILE_CACHE"];
}

process.env["ANTHROPIC_BASE_URL"] = "http://127.0.0.1:9";
process.env["NEXT_TELEMETRY_DISABLED"] = "1";
