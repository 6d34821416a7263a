import Link from "next/link";
import type { ReactNode } from "react";
import type { Check } from "../../../schema/check.ts";
import type { DiskUsage } from "../../../schema/disk.ts";
import type { Health } from "../../../schema/health.ts";
import type { RunsState } from "../../../schema/run.ts";
import type { Spending } from "../../../schema/spending.ts";
import type { Preferences } from "../../preferences.ts";
import { buttonClass } from "../elements/button.tsx";
import { Facts } from "../elements/facts.tsx";
import { PlainText } from "../elements/plain-text.tsx";
import { Panel } from "../elements/panel.tsx";
import { Appearance } from "../groups/appearance.tsx";
import { backends } from "../groups/backend-indicator.tsx";
import { CheckRows } from "../groups/check-rows.tsx";
import { ConnectClaude } from "../groups/connect-claude.tsx";
import { DiskUse } from "../groups/disk-use.tsx";
import { FindModelButton } from "../groups/find-model-button.tsx";
import { ForgetBrowserButton } from "../groups/forget-browser-button.tsx";
import { Page } from "../groups/page.tsx";
import { PageHead } from "../groups/page-head.tsx";
import { Retention } from "../groups/retention.tsx";
import { RunsSettings } from "../groups/runs-settings.tsx";
import { SpendingSettings } from "../groups/spending-settings.tsx";

type SettingsProps = {
  preferences: Preferences;
  health: Health;
  checks: readonly Check[];
  spending: Spending;
  runs: RunsState;
  disk: DiskUsage;
};

export function SettingsScreen({ preferences, health, checks, spending, runs, disk }: SettingsProps) {
  const { model, version } = health;
  return (
    <Page>
      <PageHead title="Settings">Choices of this browser, what this hall runs on, and what it spends and keeps.</PageHead>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-6 column:grid-cols-[minmax(0,1fr)_minmax(0,420px)]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <Section id="appearance" title="This browser">
            <div className="grid gap-4">
              <Appearance preferences={preferences} />
              <ForgetBrowserButton />
            </div>
          </Section>
          <Section id="model" title="Model">
            <Facts
              of={[
                { label: "Answers", value: backends[model.backend].name },
                { label: "Name", value: model.name },
                { label: "Why", value: <PlainText>{model.detail}</PlainText> },
              ]}
            />
            <div className="mt-4 mb-4">
              <FindModelButton />
            </div>
            {model.backend === "demo" ? <ConnectClaude /> : null}
          </Section>
          <Section id="spending" title="Spending">
            <SpendingSettings spending={spending} />
          </Section>
          <Section id="runs" title="Runs">
            <RunsSettings state={runs} />
          </Section>
          <Section id="about" title="About">
            <Facts of={[{ label: "Version", value: version }]} />
            <Link href="/gallery" prefetch={false} className={buttonClass("default", "md", "mt-4")}>
              See every component
            </Link>
          </Section>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <Panel labelledBy="machine" className="px-4 pt-3.5 pb-2">
            <h2 id="machine">This machine</h2>
            <CheckRows checks={checks} />
          </Panel>
          <Section id="disk" title="Disk">
            <DiskUse usage={disk} />
            <Retention retention={disk.retention} />
          </Section>
        </div>
      </div>
    </Page>
  );
}

const Section = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-4">
    <h2 id={`${id}-title`} className="mb-3 border-b border-line pb-1.5">
      {title}
    </h2>
    {children}
  </section>
);
