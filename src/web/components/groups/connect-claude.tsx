import { CopyButton } from "../elements/copy-button.tsx";

const command = "(umask 077; echo 'ANTHROPIC_API_KEY=sk-ant-…' >> ~/.guild-hall/.env.local)";

/** The one line that turns the demo into the real thing. */
export function ConnectClaude() {
  return (
    <section aria-labelledby="connect">
      <div className="mb-1.5 flex min-h-7 flex-wrap items-center gap-x-2">
        <h2 id="connect">Connect Claude</h2>
        <span className="text-xs text-ink-3">one line, in the home folder of this hall</span>
      </div>
      <div className="flex items-center gap-2.5 rounded-2 border border-control bg-surface py-[5px] pr-1.5 pl-3.5 font-mono text-[13px] leading-6">
        <span aria-hidden className="text-ink-3 select-none">
          $
        </span>
        <span tabIndex={0} role="region" aria-label="Command" className="min-w-0 flex-1 overflow-auto whitespace-nowrap">
          {command}
        </span>
        <CopyButton text={command} />
      </div>
      <p className="mt-[7px] text-xs text-ink-3">
        The key stays in that file. Change <code>~/.guild-hall</code> if you chose another home folder. For an endpoint of your own (Ollama,
        LM Studio, a gateway) set <code>ANTHROPIC_BASE_URL</code> the same way. Then check again; nothing needs a restart.
      </p>
    </section>
  );
}
