import type { IncomingMessage } from "node:http";

/**
 * The one page that is served without the token: a field to type it into. It stands before Next, so it is plain HTML with
 * nothing of the app in it.
 */
export function loginPage(request: IncomingMessage): string {
  const nonce = /'nonce-([^']+)'/.exec(String(request.headers["content-security-policy"]))?.[1] ?? "";
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Token · Guild Hall</title>
<style>
:root { color-scheme: light dark; }
body { font: 14px/22px system-ui, sans-serif; display: grid; place-content: center; min-height: 100dvh; margin: 0; padding: 16px; box-sizing: border-box; background: light-dark(#f5f4ef, #151310); color: light-dark(#221d18, #e9e6df); }
h1 { font: 500 26px/32px Georgia, serif; margin: 0 0 4px; }
p { margin: 0 0 16px; max-width: 44ch; }
form { display: grid; gap: 8px; max-width: 360px; }
input, button { font: inherit; min-height: 44px; padding: 0 12px; border-radius: 6px; border: 1px solid light-dark(#8a847a, #77726b); background: light-dark(#fdfcfa, #1d1b18); color: inherit; }
button { background: light-dark(#221d18, #e9e6df); color: light-dark(#fdfcfa, #151310); cursor: pointer; }
:focus-visible { outline: 2px solid light-dark(#8f6718, #ddb968); outline-offset: 2px; }
</style>
<main>
<h1>This hall asks for its token</h1>
<p>It is the value of GUILD_HALL_TOKEN on the machine that runs the hall.</p>
<form id="door"><label for="token">Token</label><input id="token" type="password" autocomplete="current-password" required autofocus><button>Open the hall</button><p id="said" role="alert"></p></form>
</main>
<script nonce="${nonce}">
document.getElementById("door").addEventListener("submit", async (event) => {
  event.preventDefault();
  const token = document.getElementById("token").value;
  const answer = await fetch("/api/login", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ token }) });
  if (answer.ok) location.reload();
  else document.getElementById("said").textContent = "That is not the token of this hall.";
});
</script>
</html>`;
}
