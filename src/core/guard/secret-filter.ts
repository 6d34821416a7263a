/** Takes known secrets out of text. Unlike a scrubber it leaves lookalikes alone, so it is safe for the words of a model. */
export type SecretFilter = {
  /** For a text that is complete. */
  whole(text: string): string;
  /** For a text in pieces. Holds back an end that may be the start of a secret. */
  take(piece: string): string;
  /** What `take` held back, once no more pieces come. */
  rest(): string;
};

const shortest = 8;

/** Secrets of fewer than 8 characters are ignored: they protect nothing and would blank out ordinary words. */
export function createSecretFilter(given: readonly string[]): SecretFilter {
  // The longest first, so that of two which start alike the longer is found.
  const secrets = [...new Set(given)].filter(({ length }) => length >= shortest).sort((a, b) => b.length - a.length);
  const pattern = new RegExp(secrets.map((secret) => secret.replaceAll(/[^\w]/g, String.raw`\$&`)).join("|"), "g");
  let held = "";

  function removed(text: string, keepEnd: boolean): { clean: string; end: string } {
    if (secrets.length === 0) return { clean: text, end: "" };
    let clean = "";
    let from = 0;
    let end = keepEnd ? startOfUnfinished(text, from, secrets) : text.length;
    for (const { 0: secret, index } of text.matchAll(pattern)) {
      if (index >= end) break;
      clean += `${text.slice(from, index)}[removed]`;
      from = index + secret.length;
      if (from > end) end = startOfUnfinished(text, from, secrets);
    }
    return { clean: clean + text.slice(from, end), end: text.slice(end) };
  }

  return {
    whole: (text) => removed(text, false).clean,
    take(piece) {
      const { clean, end } = removed(held + piece, true);
      held = end;
      return clean;
    },
    rest() {
      const { clean } = removed(held, false);
      held = "";
      return clean;
    },
  };
}

/** Where the text ends with a part of a secret from its start, not before `from`; its length if it does not. */
function startOfUnfinished(text: string, from: number, secrets: readonly string[]): number {
  const longest = secrets[0]?.length ?? 0;
  for (let at = Math.max(from, text.length - longest + 1); at < text.length; at += 1) {
    const isStart = secrets.some(
      (secret) => secret.length > text.length - at && secret.charCodeAt(0) === text.charCodeAt(at) && secret.startsWith(text.slice(at)),
    );
    if (isStart) return at;
  }
  return text.length;
}
