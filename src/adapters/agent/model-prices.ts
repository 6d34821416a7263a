/** Tokens of a response. Those read from or written to the cache are not in `input`. */
export type Tokens = { input: number; output: number; cacheRead: number; cacheWrite: number; cacheWriteHour: number };

/** Dollars for a million tokens. Output and cache writes follow from the price of input, for every model alike. */
type Price = Rate & {
  /** For a response to more than 100,000 tokens, those from the cache counted in, where that costs more. */
  long?: Rate;
};
type Rate = { input: number; cacheRead: number };

const longTokens = 100_000;
const outputFactor = 5;
const cacheWriteFactor = 1.25;
const cacheWriteHourFactor = 2;

/**
 * What the SDK counts, model by model. It tells costs only at the end of a run, and a run that breaks off has no end. A
 * test asks the SDK for each of these, so that other prices in a newer one do not go unnoticed.
 */
export const modelPrices: Readonly<Record<string, Price>> = {
  "claude-mythos-5-2": { input: 8, cacheRead: 0.2 },
  "claude-mythos-5": { input: 10, cacheRead: 1 },
  "claude-fable-5-2": { input: 8, cacheRead: 0.2 },
  "claude-fable-5-1": { input: 10, cacheRead: 0.25 },
  "claude-fable-5": { input: 10, cacheRead: 1 },
  "claude-opus-5-5": { input: 4, cacheRead: 0.2 },
  "claude-opus-5": { input: 5, cacheRead: 0.5 },
  "claude-opus-4-8": { input: 5, cacheRead: 0.5 },
  "claude-opus-4-7": { input: 5, cacheRead: 0.5 },
  "claude-opus-4-6": { input: 5, cacheRead: 0.5 },
  "claude-opus-4-5": { input: 5, cacheRead: 0.5 },
  "claude-sonnet-5-5": { input: 2, cacheRead: 0.1 },
  "claude-sonnet-5": { input: 2, cacheRead: 0.2 },
  "claude-sonnet-4-6": { input: 3, cacheRead: 0.3 },
  "claude-sonnet-4-5": { input: 3, cacheRead: 0.3 },
  "claude-sonnet-4-20250514": { input: 3, cacheRead: 0.3 },
  "claude-haiku-5-5": { input: 0.1, cacheRead: 0.01, long: { input: 0.5, cacheRead: 0.05 } },
  "claude-haiku-4-5": { input: 1, cacheRead: 0.1 },
};

/** What a response costs. A model that nobody knows counts as the dearest, so that limits hold. */
export function estimateCost(model: string, tokens: Tokens): number {
  const price = priceOf(model);
  return price === undefined ? Math.max(...Object.values(modelPrices).map((each) => costAt(each, tokens))) : costAt(price, tokens);
}

/** Names come with dates, and with those who pass the model on; the longest that fits is meant. */
function priceOf(model: string): Price | undefined {
  const fitting = Object.entries(modelPrices).filter(([name]) => new RegExp(`${name}(?!-?\\d{1,2}(?!\\d))`).test(model));
  return fitting.toSorted(([one], [other]) => other.length - one.length)[0]?.[1];
}

function costAt(price: Price, tokens: Tokens): number {
  const asked = tokens.input + tokens.cacheRead + tokens.cacheWrite + tokens.cacheWriteHour;
  const { input, cacheRead } = asked > longTokens && price.long !== undefined ? price.long : price;
  const asInput =
    tokens.input + tokens.output * outputFactor + tokens.cacheWrite * cacheWriteFactor + tokens.cacheWriteHour * cacheWriteHourFactor;
  return (asInput * input + tokens.cacheRead * cacheRead) / 1_000_000;
}
