import { existsSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";

/** Resolves at once when so many messages of people are in the histories of these session folders, taken together. */
export function messagesBegun(folders: readonly string[], count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => void (folders.map(messagesIn).reduce((sum, each) => sum + each, 0) >= count && resolve());
  const watches = folders.map((folder) => watch(folder, look));
  look();
  return promise.finally(() => watches.forEach((each) => each.close()));
}

function messagesIn(folder: string): number {
  const history = join(folder, "messages.jsonl");
  return existsSync(history) ? readFileSync(history, "utf8").split('"role":"user"').length - 1 : 0;
}
