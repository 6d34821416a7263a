import type { Command } from "commander";
import { nearestName } from "../schema/nearest-name.ts";

/** Lets a group of commands answer an unknown word with the command that was meant: the one people know by that word elsewhere, or the nearest. */
export function answerUnknown(group: Command): void {
  group.on("command:*", ([word = ""]: string[]) => {
    const known = group
      .createHelp()
      .visibleCommands(group)
      .map((command) => command.name());
    const meant = knownElsewhereAs(word, known) ?? nearestName(word, known) ?? known.find((name) => name.startsWith(word));
    const hint = meant === undefined ? "" : `\n(Did you mean ${meant}?)`;
    group.error(`error: unknown command '${word}'${hint}`, { code: "commander.unknownCommand" });
  });
}

/** Commands that stand for the same in one program or another. The first row that has a command of the group counts. */
const alike: readonly (readonly string[])[] = [
  ["list", "ls"],
  ["delete", "remove", "rm", "uninstall"],
  ["serve", "start", "run", "up"],
  ["call", "run", "invoke"],
  ["new", "add", "dispatch", "create", "install", "start", "run"],
  ["show", "get", "view", "info"],
  ["tail", "watch", "follow"],
  ["stop", "cancel", "kill", "abort"],
];

const knownElsewhereAs = (word: string, known: readonly string[]): string | undefined =>
  alike.filter((row) => row.includes(word)).flatMap((row) => known.filter((name) => row.includes(name)))[0];
