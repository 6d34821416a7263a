import { House, MessagesSquare, Plug, ScrollText, Settings } from "lucide-react";
import type { Session } from "../../../schema/session.ts";
import { Icon } from "../elements/icon.tsx";
import { JobNavCount } from "./job-nav-count.tsx";
import { NavLink } from "./nav-link.tsx";

/** Navigation of small screens, within reach of a thumb. */
export function TabBar({ latest }: { latest: Session | undefined }) {
  return (
    <nav
      aria-label="Main, small screens"
      className="grid auto-cols-fr grid-flow-col border-t border-line bg-rail pb-[env(safe-area-inset-bottom)] [grid-area:tabs] rail:hidden"
    >
      <NavLink href="/" title="Hall" className={tab}>
        <Icon of={House} className="size-5" />
        Hall
      </NavLink>
      {latest === undefined ? null : (
        <NavLink href={`/sessions/${latest.id}`} within="/sessions/" title={`Workshop: ${latest.name}`} className={tab}>
          <Icon of={MessagesSquare} className="size-5" />
          Workshop
        </NavLink>
      )}
      <NavLink href="/jobs" within="/jobs" title="Jobs" className={tab}>
        <Icon of={ScrollText} className="size-5" />
        Jobs
        <JobNavCount only="yours" className="absolute top-[5px] left-1/2 ml-[5px]" />
      </NavLink>
      <NavLink href="/roster" within="/roster" title="Roster" className={tab}>
        <Icon of={Plug} className="size-5" />
        Roster
      </NavLink>
      <NavLink href="/settings" title="Settings" className={tab}>
        <Icon of={Settings} className="size-5" />
        Settings
      </NavLink>
    </nav>
  );
}

const tab =
  "relative grid h-(--tabs-h) place-content-center justify-items-center gap-[3px] text-2xs leading-[13px] text-ink-2 focus-visible:-outline-offset-2 aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:before:absolute aria-[current]:before:inset-x-[22%] aria-[current]:before:-top-px aria-[current]:before:h-0.5 aria-[current]:before:bg-brass-fill";
