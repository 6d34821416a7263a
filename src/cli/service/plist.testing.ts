/** What a property list says, read as XML is read. Whatever a parser of XML would refuse is an error here. */
export function parsePlist(text: string): unknown {
  const prolog = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<!DOCTYPE plist [^>]+>\n/.exec(text)?.[0] ?? failure("It has no prolog.");
  const reader = createReader(text.slice(prolog.length));
  reader.take('<plist version="1.0">');
  const value = valueIn(reader);
  reader.take("</plist>");
  return reader.isOver() ? value : failure("Something follows the end.");
}

type Reader = { take(token: string): void; next(): string; peek(): string; isOver(): boolean };

/** Tags and texts, without comments and the space between tags. */
function createReader(text: string): Reader {
  const tokens = (text.match(/<!--[^]*?-->|<[^>]*>|[^<]+/g) ?? []).filter((token) => !isComment(token) && token.trim() !== "");
  let at = 0;
  const peek = () => tokens[at] ?? failure("It ends too early.");
  const next = () => {
    const token = peek();
    at += 1;
    return token;
  };
  return { peek, next, isOver: () => at === tokens.length, take: (token) => void (next() === token || failure(`${token} is missing.`)) };
}

function isComment(token: string): boolean {
  if (!token.startsWith("<!--")) return false;
  const inside = token.slice(4, -3);
  return inside.includes("--") || inside.endsWith("-") ? failure(`There are two dashes in a comment: ${inside}`) : true;
}

function valueIn(reader: Reader): unknown {
  const tag = reader.next();
  if (tag === "<true/>") return true;
  if (tag === "<false/>") return false;
  if (tag === "<string>") return textUntil(reader, "</string>");
  if (tag === "<integer>") return Number(textUntil(reader, "</integer>"));
  if (tag === "<array>") return [...until(reader, "</array>", () => valueIn(reader))];
  if (tag === "<dict>") return Object.fromEntries(until(reader, "</dict>", () => pairIn(reader)));
  return failure(`${tag} is no value.`);
}

function pairIn(reader: Reader): [string, unknown] {
  reader.take("<key>");
  return [textUntil(reader, "</key>"), valueIn(reader)];
}

function* until<Value>(reader: Reader, end: string, read: () => Value): Generator<Value> {
  while (reader.peek() !== end) yield read();
  reader.take(end);
}

const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

function textUntil(reader: Reader, end: string): string {
  const text = reader.next();
  reader.take(end);
  return text.replaceAll(/&[^;]*;?/g, (entity) => entities[entity] ?? failure(`${entity} is no entity.`));
}

function failure(sentence: string): never {
  throw new Error(sentence);
}
