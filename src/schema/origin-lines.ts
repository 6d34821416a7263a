import type { Origins } from "./environment.ts";

/** One sentence for each file: which variables it sets, and never a value. */
export function originLines(origins: Origins): string[] {
  const byFile = Object.groupBy(Object.entries(origins), ([, file]) => file);
  return Object.entries(byFile).map(
    ([file, set = []]) =>
      `${file} sets ${set
        .map(([name]) => name)
        .toSorted()
        .join(", ")}.`,
  );
}
