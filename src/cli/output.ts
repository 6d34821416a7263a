import { once } from "node:events";
import { plainText, safeText } from "./safe-text.ts";

/** Where long results go piece by piece. A slow reader is waited for, so that nothing piles up here. */
export type Output = {
  write(text: string): Promise<void>;
  /** Makes somebody else's text harmless for whoever reads this. */
  clean: (text: string) => string;
};

export function createOutput(stream: NodeJS.WriteStream = process.stdout): Output {
  return {
    clean: stream.isTTY ? safeText : plainText,
    async write(text) {
      if (!stream.write(text)) await once(stream, "drain");
    },
  };
}
