"use client";

import type { Member } from "../../../schema/roster.ts";
import { firstSentence } from "../../format/first-sentence.ts";
import { visibleText } from "../../format/visible-text.ts";
import { useMemberLog } from "../../live/use-member-log.ts";
import type { MemberHandle } from "../../live/use-member.ts";
import { Banner } from "../elements/banner.tsx";
import { Button } from "../elements/button.tsx";
import { codeClass } from "../elements/code.tsx";
import { PlainText } from "../elements/plain-text.tsx";
import { canRestart } from "./member-status.ts";
import { MemberSteps } from "./member-steps.tsx";
import { useClosedBecause } from "./person-note.tsx";
import { NextStart } from "./next-start.tsx";

/** How the connection stands, step by step. One that failed is explained: the reason, what the program said last, and one thing to press. */
export function MemberConnection({ handle }: { handle: MemberHandle }) {
  const { member } = handle;
  const hasFailed = member.status === "error";
  return (
    <section aria-labelledby="connection" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="connection">Connection</h2>
      {hasFailed ? <Reason member={member} isRestarting={handle.isRestarting} onRestart={() => void handle.restart()} /> : null}
      {member.steps.length === 0 ? null : <MemberSteps steps={member.steps} />}
      {hasFailed && member.transport !== null ? <LastWords name={member.name} /> : null}
    </section>
  );
}

function Reason({ member, isRestarting, onRestart }: { member: Member; isRestarting: boolean; onRestart: () => void }) {
  const closedBecause = useClosedBecause();
  const { first, rest } = firstSentence(visibleText(member.error ?? "It is not connected."));
  return (
    <div role="alert" className="whitespace-pre-line [overflow-wrap:anywhere]">
      <Banner
        title={first}
        action={
          canRestart(member) ? (
            <Button size="sm" busy={isRestarting} disabledBecause={closedBecause} onClick={onRestart}>
              Restart
            </Button>
          ) : null
        }
      >
        <PlainText>{rest}</PlainText> {member.nextStartAt === null ? null : <NextStart at={member.nextStartAt} />}
        {canRestart(member) ? null : "It starts by itself as soon as this is put right."}
      </Banner>
    </div>
  );
}

const shownLines = 12;

function LastWords({ name }: { name: string }) {
  const { logs } = useMemberLog(name);
  if (logs === null) return null;
  const lines = visibleText(logs.text).trimEnd().split("\n");
  return (
    <div>
      <h3 className="mb-1.5 text-sm">Last lines it wrote to stderr</h3>
      <pre
        tabIndex={0}
        role="region"
        aria-label="Last lines of stderr"
        className={`${codeClass} max-h-60 whitespace-pre-wrap [overflow-wrap:anywhere]`}
      >
        {logs.text === "" ? <span className="text-ink-3">It has written nothing.</span> : lines.slice(-shownLines).join("\n")}
      </pre>
    </div>
  );
}
