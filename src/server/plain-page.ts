import type { IncomingMessage } from "node:http";

type PlainPage = { title: string; body: string; script?: string };

/** A page that needs nothing of the app: plain HTML, for what is answered before Next. `body` and `script` are our own text. */
export function plainPage(request: IncomingMessage, { title, body, script }: PlainPage): string {
  const nonce = /'nonce-([^']+)'/.exec(String(request.headers["content-security-policy"]))?.[1] ?? "";
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Guild Hall</title>
<style>
:root { color-scheme: light dark; }
body { font: 14px/22px system-ui, sans-serif; display: grid; place-content: center; min-height: 100dvh; margin: 0; padding: 16px; box-sizing: border-box; background: light-dark(#f5f4ef, #151310); color: light-dark(#221d18, #e9e6df); }
h1 { font: 500 26px/32px Georgia, serif; margin: 0 0 4px; }
p { margin: 0 0 16px; max-width: 44ch; }
a { color: inherit; }
form { display: grid; gap: 8px; max-width: 360px; }
input, button { font: inherit; min-height: 44px; padding: 0 12px; border-radius: 6px; border: 1px solid light-dark(#8a847a, #77726b); background: light-dark(#fdfcfa, #1d1b18); color: inherit; }
button { background: light-dark(#221d18, #e9e6df); color: light-dark(#fdfcfa, #151310); cursor: pointer; }
:focus-visible { outline: 2px solid light-dark(#8f6718, #ddb968); outline-offset: 2px; }
</style>
<main>
${body}
</main>${script === undefined ? "" : `\n<script nonce="${nonce}">\n${script}\n</script>`}
</html>`;
}
