import { once } from "node:events";
import { plainText, safeText } from "./safe-text.ts";
import type { Shell } from "./shell.ts";

/** Where long results go piece by piece. A slow reader is waited for, so that nothing piles up here. */
export type Output = {
  write(text: string): Promise<void>;
  /** Makes somebody else's text harmless for whoever reads this. */
  clean: (text: string) => string;
};

export function createOutput({ stdout }: Pick<Shell, "stdout">): Output {
  return {
    clean: stdout.isTTY === true ? safeText : plainText,
    async write(text) {
      if (!stdout.write(text)) await once(stdout, "drain");
    },
  };
}
