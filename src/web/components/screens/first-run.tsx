import type { Check } from "../../../schema/check.ts";
import type { ModelInfo } from "../../../schema/health.ts";
import { Empty } from "../elements/empty.tsx";
import { PlainText } from "../elements/plain-text.tsx";
import { Panel } from "../elements/panel.tsx";
import { CheckRows } from "../groups/check-rows.tsx";
import { ConnectClaude } from "../groups/connect-claude.tsx";
import { FindModelButton } from "../groups/find-model-button.tsx";
import { FirstSessionButton } from "../groups/first-session-button.tsx";
import { NewSessionButton } from "../groups/new-session-button.tsx";
import { Page } from "../groups/page.tsx";
import { RosterPanel } from "../groups/roster-panel.tsx";
import { WhatLeaves } from "../groups/what-leaves.tsx";

/** A hall nobody has used yet: which model answers, how to change that, what was found, and a first thing to press. */
export function FirstRun({ model, checks }: { model: ModelInfo; checks: readonly Check[] }) {
  const isDemo = model.backend === "demo";
  return (
    <Page>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-6 pt-4 column:grid-cols-[minmax(0,1fr)_356px]">
        <div>
          <h1 className="text-3xl max-rail:text-[28px] max-rail:leading-[34px]">
            The hall is open.
            <br />
            {isDemo ? "A demo model is answering." : `${model.name} is answering.`}
          </h1>
          <p className="mt-3 max-w-[62ch] text-lead text-ink-2">
            {isDemo ? (
              "No key for Claude was found, so sessions run on the demo model: scripted replies, real tools, no network, no cost. It shows how the hall works; it does not do your work."
            ) : (
              <PlainText>{model.detail}</PlainText>
            )}
          </p>
          <div className="mt-6 max-w-[660px]">
            {isDemo ? <ConnectClaude /> : null}
            <div className="mt-4 flex flex-wrap gap-2">
              <FirstSessionButton isDemo={isDemo} />
              {isDemo ? <FindModelButton /> : null}
            </div>
            <WhatLeaves />
          </div>
          <section aria-labelledby="board" className="mt-8 max-w-[660px]">
            <h2 id="board" className="mb-3">
              Board
            </h2>
            <Empty title="No sessions yet" action={<NewSessionButton variant="default" />}>
              A session is a conversation with an agent that has a folder of its own to work in. Each one appears here as a card.
            </Empty>
          </section>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <RosterPanel remark="Members work without a model. Open one and run a tool by hand." />
          <Panel labelledBy="found" className="px-4 pt-3.5 pb-2">
            <h2 id="found">What was found</h2>
            <CheckRows checks={checks} />
          </Panel>
        </div>
      </div>
    </Page>
  );
}
