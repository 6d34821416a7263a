import type { Command } from "commander";
import { money } from "../schema/money.ts";
import type { DayLimit, Spending } from "../schema/spending.ts";
import type { CommandContext } from "./command-context.ts";

type Flags = { home?: string; always?: boolean; fromConfig?: boolean };

export function addLimit(program: Command, { printer, shell }: CommandContext): void {
  program
    .command("limit [usd]")
    .description("say what today has cost and may cost; with an amount, or none, set it for today")
    .option("--always", "set it for good instead of for today")
    .option("--from-config", "go back to what config.yaml says")
    .option("--home <folder>", "home folder of the hall (default: ~/.guild-hall)")
    .option("--json", "print exactly one JSON document")
    .action(async (amount: string | undefined, flags: Flags) => {
      const [{ checked }, { Dollars }, { findHall }, { SetDayLimit }] = await Promise.all([
        import("./checked.ts"),
        import("./dollars.ts"),
        import("./find-hall.ts"),
        import("../schema/spending.ts"),
      ]);
      const perDayUsd =
        amount === undefined || amount === "none" ? null : checked(Dollars.pipe(SetDayLimit.shape.perDayUsd.unwrap()), amount, "The limit");
      const { client } = await findHall(flags.home, shell);
      if (flags.fromConfig === true) return tell(await client.spending.clearLimit());
      if (amount !== undefined)
        return tell(await client.spending.setLimit({ perDayUsd, until: flags.always === true ? "always" : "today" }));
      const spending = await client.spending.get();
      printer.result(spending, `${spentOf(spending)} ${sentenceOf(spending.limit)}`);

      function tell(limit: DayLimit): void {
        printer.result(limit, sentenceOf(limit));
      }
    });
}

const spentOf = ({ today }: Spending): string => `Today's queries have cost ${today.isEstimate ? "about " : ""}${money(today.costUsd)}.`;

function sentenceOf({ perDayUsd, from }: DayLimit): string {
  const day = from === "today" ? "Today" : "A day";
  const whose = from === "config" ? ", as config.yaml says" : "";
  return perDayUsd === null ? `${day} has no limit${whose}.` : `${day} may cost up to ${money(perDayUsd)}${whose}.`;
}
