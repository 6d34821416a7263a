import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { OfflineBanner } from "../components/groups/offline-banner.tsx";
import { PausedBanner } from "../components/groups/paused-banner.tsx";
import { Rail } from "../components/groups/rail.tsx";
import { Shell } from "../components/groups/shell.tsx";
import { TabBar } from "../components/groups/tab-bar.tsx";
import { TopBar } from "../components/groups/top-bar.tsx";
import { changesHeader } from "../../schema/changes-header.ts";
import { personHeader } from "../../schema/person-header.ts";
import { hall } from "../hall.ts";
import { firstGlanceAt } from "../live/member-glance.ts";
import { preferencesFrom, rootAttributes } from "../preferences.ts";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Guild Hall", template: "%s · Guild Hall" },
  description: "A workspace for delegating work to AI specialists.",
};

export const viewport: Viewport = { width: "device-width", initialScale: 1, viewportFit: "cover" };

const recentSessions = 6;

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [jar, asked] = await Promise.all([cookies(), headers()]);
  const [{ model }, { sessions }, { isPaused }, { members }] = await Promise.all([
    hall().health(),
    hall().sessions.list({ limit: recentSessions }),
    hall().runs.state(),
    hall()
      .roster.list()
      .catch(() => ({ members: [] })),
  ]);
  return (
    <html lang="en" {...rootAttributes(preferencesFrom((name) => jar.get(name)?.value))}>
      <body className="grid h-dvh grid-cols-1 grid-rows-[52px_auto_minmax(0,1fr)_auto] [grid-template-areas:'top'_'note'_'main'_'tabs'] rail:grid-cols-[var(--rail-w-min)_minmax(0,1fr)] rail:grid-rows-[var(--top-h)_auto_minmax(0,1fr)] rail:[grid-template-areas:'rail_top'_'rail_note'_'rail_main'] wide:grid-cols-[var(--rail-w)_minmax(0,1fr)]">
        <a href="#main" className="absolute -top-15 left-2 z-20 rounded-2 bg-raised px-3 py-2 focus:top-2">
          Skip to content
        </a>
        <Shell
          drawnAt={asked.get(changesHeader)}
          isPaused={isPaused}
          isPerson={asked.get(personHeader) === "true"}
          sessions={sessions}
          members={members.map(firstGlanceAt)}
          model={model}
        >
          <Rail sessions={sessions} />
          <TopBar model={model} latest={sessions[0]} />
          <div className="mx-auto w-[min(720px,100%)] [grid-area:note]">
            <OfflineBanner />
            <PausedBanner />
          </div>
          {children}
          <TabBar latest={sessions[0]} />
        </Shell>
      </body>
    </html>
  );
}
