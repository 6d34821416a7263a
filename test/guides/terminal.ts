import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { delimiter, join } from "node:path";
import { onTestFinished } from "vitest";
import { typeCommand } from "../cli/typed-command.ts";
import { launcher } from "../cli/run-cli.ts";
import { nodeEnvironment } from "../counted-process.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { root } from "./blocks.ts";

export type Terminal = {
  /** Where it begins, which is also the home of whoever types. */
  folder: string;
  /** Types what stands behind each `$`, and answers what was promised below it and did not come. */
  play(...blocks: string[]): Promise<string[]>;
};

type TerminalRequest = {
  hall: { home: string; url: string };
  env?: Record<string, string>;
};

/** A shell of somebody who reads a document, in front of a hall. Commands that ask get a yes. */
export async function openTerminal({ hall, env = {} }: TerminalRequest): Promise<Terminal> {
  const folder = await temporaryFolder();
  const programs = await writePrograms(folder, await openDesk(folder, () => environment));
  const PATH = [programs, join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  const { TMPDIR } = process.env;
  const environment: Record<string, string | undefined> = {
    TMPDIR,
    ...nodeEnvironment(),
    PATH,
    HOME: folder,
    GUILD_HALL_HOME: hall.home,
    ...env,
  };
  // Documents speak of a hall where it is by default.
  const here = (text: string) => text.replaceAll("~/.guild-hall", hall.home).replaceAll("127.0.0.1:4870", new URL(hall.url).host);
  return {
    folder,
    async play(...blocks) {
      const steps = blocks.flatMap((block) => stepsOf(here(block)));
      const answers = await run(steps, folder, environment);
      return steps.flatMap((step, at) => shortcomings(step, answers[at]));
    },
  };
}

type Step = { typed: string; promised: string[] };
type Answer = { printed: string; code: number };

/** A `$` begins a command, and a `>` right below it goes on with it. All else was printed. */
function stepsOf(session: string): Step[] {
  return session
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const lines = text.trimEnd().split("\n");
      const end = lines.findIndex((line, at) => at > 0 && !line.startsWith("> "));
      const [first = "", ...more] = end === -1 ? lines : lines.slice(0, end);
      return { typed: [first, ...more.map((line) => line.slice(2))].join("\n"), promised: end === -1 ? [] : lines.slice(end) };
    });
}

/** A `…` in what is promised stands for what differs each time. A command of which nothing is promised must at least do its work. */
function shortcomings({ typed, promised }: Step, answer: Answer | undefined): string[] {
  if (answer === undefined) return [`$ ${typed}\nwas never typed, for the shell had ended.`];
  const { printed, code } = answer;
  const missing = promised.filter((line) => !new RegExp(line.split("…").map(escaped).join(".*")).test(printed));
  const told = `$ ${typed} [${code}] printed:\n${printed}`;
  if (promised.length === 0 && code !== 0) return [`It failed. ${told}`];
  return missing.map((line) => `It did not print: ${line}\n${told}`);
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");

const end = "--- typed and done";

/** All in one shell, so that a variable or a folder of one command is there for the next. */
async function run(steps: readonly Step[], cwd: string, env: Record<string, string | undefined>): Promise<Answer[]> {
  const script = steps.map(({ typed }) => `{\n${typed}\n} </dev/null 2>&1\nprintf '\\n${end} %s\\n' "$?"\n`).join("");
  // Next's types want NODE_ENV in every environment.
  const shell = spawn("sh", ["-c", script], { cwd, env: env as NodeJS.ProcessEnv, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const isOver = once(shell, "close");
  onTestFinished(async () => {
    if (shell.exitCode === null && shell.signalCode === null && shell.pid !== undefined) process.kill(-shell.pid, "SIGKILL");
    await isOver;
  });
  let printed = "";
  for (const stream of [shell.stdout, shell.stderr]) stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  await isOver;
  return [...printed.matchAll(new RegExp(`([^]*?)\\n${end} (\\d+)\\n`, "g"))].map(([, text = "", code]) => ({
    printed: text,
    code: Number(code),
  }));
}

/**
 * `guild-hall` as an installed package gives it, and `npx` in front of it. To start a process takes longer than most commands do, so
 * what is typed runs in the process of the test, in the folder and with the variables of the shell. Only the doctor looks at his own process.
 */
async function writePrograms(folder: string, desk: string): Promise<string> {
  const programs = join(folder, ".programs");
  await mkdir(programs);
  const write = (name: string, text: string) => writeFile(join(programs, name), `#!/bin/sh\n${text}`, { mode: 0o755 });
  await write(
    "guild-hall",
    `case "$1 $2" in
${asking.map((words) => `"${words}"`).join(" | ")}) first=$1; second=$2; shift 2; set -- "$first" "$second" --yes "$@" ;;
"doctor "*) exec "${process.execPath}" "${launcher}" "$@" ;;
esac
note=$(mktemp -d) || exit
printf '%s\\0' "$PWD" "$@" > "$note/words"
code=$(curl -s --unix-socket "${desk}" "http://desk$note")
cat "$note/stdout"
cat "$note/stderr" >&2
rm -r "$note"
exit "$code"
`,
  );
  await write("npx", `[ "$1" = guild-hall ] || exit 127\nshift\nexec guild-hall "$@"\n`);
  return programs;
}

/** Where the `guild-hall` of a terminal hands in what was typed, and gets back how it ended. What was printed lies beside it. */
async function openDesk(folder: string, env: () => Record<string, string | undefined>): Promise<string> {
  const server = createServer((request, response) => {
    void runTyped(request.url ?? "", env()).then(
      (code) => response.end(String(code)),
      () => response.destroy(),
    );
  });
  const desk = join(folder, ".desk");
  server.listen(desk);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return desk;
}

async function runTyped(note: string, env: Record<string, string | undefined>): Promise<number | null> {
  const [cwd = "", ...words] = (await readFile(join(note, "words"), "utf8")).split("\0").slice(0, -1);
  const { code, stdout, stderr } = await typeCommand(words, { cwd, env }).ended;
  await Promise.all([writeFile(join(note, "stdout"), stdout), writeFile(join(note, "stderr"), stderr)]);
  return code;
}

/** Commands that want a yes, which in a document stands between two lines that it shows. */
const asking = ["new member", "new worker", "member add", "member remove", "member accept", "session delete", "job delete"];
