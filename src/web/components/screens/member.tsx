"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { ReactNode } from "react";
import type { Member } from "../../../schema/roster.ts";
import { useMember } from "../../live/use-member.ts";
import { Banner } from "../elements/banner.tsx";
import { buttonClass } from "../elements/button.tsx";
import { MemberContext } from "../groups/member-context.ts";
import { MemberHead } from "../groups/member-head.tsx";
import { MemberLogDialog } from "../groups/member-log-dialog.tsx";
import { MemberNotices } from "../groups/member-notices.tsx";
import { canRestart } from "../groups/member-status.ts";
import { MemberTools } from "../groups/member-tools.tsx";
import { Page } from "../groups/page.tsx";
import { PersonNote, useClosedBecause } from "../groups/person-note.tsx";
import { RemoveMemberDialog } from "../groups/remove-member-dialog.tsx";
import { useShell } from "../groups/shell-context.ts";
import { usePageCommands } from "../groups/use-page-commands.ts";

type Layer = "none" | "log" | "remove" | "removing";

/** One member: how it is, its tools, and beside them what was chosen. */
export function MemberScreen({ initial, children }: { initial: Member; children: ReactNode }) {
  const handle = useMember(initial);
  const { member } = handle;
  const [layer, setLayer] = useState<Layer>("none");
  const shell = useShell();
  const router = useRouter();
  const disabledBecause = useClosedBecause();
  const close = () => setLayer("none");
  const log = () => setLayer("log");
  const askToRemove = () => {
    handle.forgive();
    setLayer("remove");
  };
  const restart = { id: "restart", kind: "renew", label: "Restart member", run: () => void handle.restart(), disabledBecause } as const;
  usePageCommands([
    { id: "log", kind: "log", label: "Show its log", run: log },
    ...(canRestart(member) ? [restart] : []),
    { id: "remove", kind: "delete", label: "Remove member", run: askToRemove, disabledBecause },
  ]);

  const remove = async () => {
    setLayer("removing");
    if (!(await handle.remove())) return setLayer("remove");
    shell.say(`${member.displayName} is removed.`, "cancelled");
    router.push("/roster");
  };
  if (handle.isGone && layer !== "removing") return <GoneMember name={member.displayName} />;
  return (
    <Page>
      <MemberHead handle={handle} onLog={log} onRemove={askToRemove} />
      <PersonNote to="restart or remove it here" className="-mt-2 mb-5" />
      <MemberNotices handle={handle} />
      <MemberContext value={handle}>
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 wide:grid-cols-[216px_minmax(0,1fr)]">
          <MemberTools member={member} />
          <div className="min-w-0">{children}</div>
        </div>
      </MemberContext>
      <MemberLogDialog member={member} isOpen={layer === "log"} onClose={close} />
      <RemoveMemberDialog
        member={member}
        isOpen={layer === "remove" || layer === "removing"}
        isBusy={layer === "removing"}
        failure={handle.failure}
        onClose={close}
        onConfirm={() => void remove()}
      />
    </Page>
  );
}

const GoneMember = ({ name }: { name: string }) => (
  <Page>
    <h1 className="mb-4">
      <bdi>{name}</bdi>
    </h1>
    <Banner
      tone="warning"
      title="This member is no longer there."
      action={
        <Link href="/roster" prefetch={false} className={buttonClass("default", "sm")}>
          Go to the Roster
        </Link>
      }
    >
      It was removed, or its folder was renamed.
    </Banner>
  </Page>
);
