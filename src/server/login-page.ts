import type { IncomingMessage } from "node:http";
import { plainPage } from "./plain-page.ts";

/** The one page that is served without the token: a field to type it into. */
export const loginPage = (request: IncomingMessage): string => plainPage(request, { title: "Token", body, script });

const body = `<h1>This hall asks for its token</h1>
<p>It is the value of GUILD_HALL_TOKEN on the machine that runs the hall.</p>
<form id="door"><label for="token">Token</label><input id="token" type="password" autocomplete="current-password" required autofocus><button>Open the hall</button><p id="said" role="alert"></p></form>`;

const script = `document.getElementById("door").addEventListener("submit", async (event) => {
  event.preventDefault();
  const token = document.getElementById("token").value;
  const answer = await fetch("/api/login", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ token }) });
  if (answer.ok) location.reload();
  else document.getElementById("said").textContent = "That is not the token of this hall.";
});`;
