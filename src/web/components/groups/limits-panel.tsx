"use client";

import { useState } from "react";
import type { ModelInfo } from "../../../schema/health.ts";
import { money } from "../../../schema/money.ts";
import type { Session } from "../../../schema/session.ts";
import { counted } from "../../format/figures.ts";
import type { SidePart } from "../../live/use-side-panel.ts";
import { useSessionLimit } from "../../live/use-session-limit.ts";
import { Button } from "../elements/button.tsx";
import { Facts } from "../elements/facts.tsx";
import { Meter } from "../elements/meter.tsx";
import { LimitsForm } from "./limits-form.tsx";
import { SessionPanelSection } from "./session-panel-section.tsx";

type LimitsPanelProps = { session: Session; model: ModelInfo; shown: SidePart };

/** What a session has cost, what it may cost, and what its answers took. */
export function LimitsPanel({ session, model, shown }: LimitsPanelProps) {
  const [isChanging, setIsChanging] = useState(false);
  const limit = useSessionLimit(session);
  const cost = `${model.backend === "endpoint" ? "about " : ""}${money(session.costUsd)}`;
  return (
    <SessionPanelSection part="cost" title="Cost" action={<span className="text-ink-2 tabular-nums">{cost}</span>} shown={shown}>
      {isChanging ? (
        <LimitsForm session={session} onDone={() => setIsChanging(false)} />
      ) : (
        <>
          {limit === null ? <p className="text-xs text-ink-2">This session has no limit.</p> : null}
          {typeof limit === "number" ? (
            <Meter label="Session limit" value={session.costUsd} max={limit} text={`${cost} of ${money(limit)}`} />
          ) : null}
          <Button size="sm" className="mt-2" onClick={() => setIsChanging(true)}>
            {typeof limit === "number" ? "Change the limit" : "Set a limit"}
          </Button>
        </>
      )}
      <div className="mt-2.5 text-xs tabular-nums">
        <Facts of={[{ label: "Model", value: session.model ?? model.name }, ...factsOf(session)]} />
      </div>
      {model.backend === "endpoint" ? (
        <p className="mt-2 text-xs text-ink-3">
          An estimate: what this endpoint charges is not known, so Anthropic&apos;s prices are assumed.
        </p>
      ) : null}
    </SessionPanelSection>
  );
}

/** The first message of a session is a question, which took nothing yet. */
function factsOf({ messageCount, usage: { inputTokens, outputTokens, last } }: Session) {
  if (messageCount < 2) return [];
  const lastTook =
    last === null
      ? notKnown
      : `${money(last.costUsd)}, ${counted(last.turns, "turn")}, ${thousands(last.inputTokens)} tokens in, ${thousands(last.outputTokens)} out`;
  return [
    { label: "Last answer", value: lastTook },
    { label: "Tokens in", value: inputTokens === 0 ? notKnown : thousands(inputTokens) },
    { label: "Tokens out", value: outputTokens === 0 ? notKnown : thousands(outputTokens) },
  ];
}

const notKnown = "not known";

const thousands = (tokens: number): string => (tokens < 10_000 ? String(tokens) : `${Math.round(tokens / 1000)} k`);
