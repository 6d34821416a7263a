import { buttonClass } from "../elements/button.tsx";

/** What goes over the network, said before anything does. */
export function WhatLeaves() {
  return (
    <details className="group mt-4 max-w-(--measure)">
      <summary className={buttonClass("ghost", "md", "-ml-[11px] list-none")}>What leaves this machine</summary>
      <ul className="mt-2 list-disc space-y-1 pl-5 text-ink-2 marker:text-ink-3">
        <li>With the demo model: nothing. It runs inside the hall and answers from a script.</li>
        <li>
          With Claude: your messages, and what the session&apos;s tools read for them, go to Anthropic. Your key goes with each request and
          nowhere else.
        </li>
        <li>
          With <code>ANTHROPIC_BASE_URL</code>: the same, to the address you set and to nobody else.
        </li>
        <li>The hall sends no statistics, and these pages load nothing from other sites.</li>
      </ul>
    </details>
  );
}
