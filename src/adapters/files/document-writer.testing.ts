import { z } from "zod";
import { defineDocument } from "./document.ts";

export const numbered = defineDocument(z.object({ count: z.int(), filling: z.string() }));

/** As a program: writes the file it is given over and over, and prints how often it has, until it is killed. */
if (import.meta.main) {
  const [file = ""] = process.argv.slice(2);
  for (let count = 0; ; count += 1) {
    await numbered.write(file, { count, filling: `${count}`.repeat(5000) });
    process.stdout.write(`${count}\n`);
  }
}
