/**
 * Runs before every test file. Whatever keys and settings the person has, no test and no process a test starts sees
 * them, and a model call that nobody scripted meets a closed port on loopback.
 */
const personal = /^(ANTHROPIC|CLAUDE|GUILD_HALL)_|^CLAUDECODE$|^IS_SANDBOX$|^AWS_BEARER_TOKEN_BEDROCK$/;

for (const name of Object.keys(process.env)) {
  if (personal.test(name)) delete process.env[name];
}

process.env["ANTHROPIC_BASE_URL"] = "http://127.0.0.1:9";
process.env["NEXT_TELEMETRY_DISABLED"] = "1";
