/** Takes credentials out of a text before it is written or shown: the ones this process holds, and whatever looks like one. */
export function createScrubber(secrets: readonly (string | null | undefined)[]): (text: string) => string {
  // A very short value would blank out ordinary words; nothing that short protects anything.
  const known = secrets
    .filter((secret): secret is string => typeof secret === "string" && secret.length >= 8)
    .sort((a, b) => b.length - a.length);
  return (text) => known.reduce((rest, secret) => rest.replaceAll(secret, "[removed]"), text).replaceAll(lookalike, "[removed]");
}

const lookalike = /\bsk-ant-[\w-]{8,}|(?<=\bBearer )[\w.~+/=-]{8,}/g;
