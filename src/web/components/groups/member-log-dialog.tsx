"use client";

import { useEffect, useRef } from "react";
import type { Member } from "../../../schema/roster.ts";
import { visibleText } from "../../format/visible-text.ts";
import { useMemberLog } from "../../live/use-member-log.ts";
import { CopyButton } from "../elements/copy-button.tsx";
import { codeClass } from "../elements/code.tsx";
import { Dialog } from "../elements/dialog.tsx";

export const MemberLogDialog = ({ member, isOpen, onClose }: { member: Member; isOpen: boolean; onClose: () => void }) => (
  <Dialog title={`Log of ${member.displayName}`} isOpen={isOpen} onClose={onClose} className="w-[min(920px,calc(100vw-24px))]">
    <MemberLogText name={member.name} />
  </Dialog>
);

/** Lives only while it is open, and reads only then. Stays at the end unless the reader has scrolled away from it. */
function MemberLogText({ name }: { name: string }) {
  const { logs, failure } = useMemberLog(name);
  const text = visibleText(logs?.text ?? "");
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (isAtEnd.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [text]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5 px-5 pt-2 pb-5">
      <div className="flex items-center gap-2 text-xs text-ink-3">
        <p className="mr-auto">
          What it wrote to stderr, restarts included{logs?.truncated === true ? "; the beginning is no longer kept" : ""}. New lines appear
          by themselves.
        </p>
        <CopyButton text={text} />
      </div>
      {failure === null ? null : (
        <p role="alert" className="text-err">
          {failure}
        </p>
      )}
      <pre
        ref={box}
        tabIndex={0}
        role="log"
        aria-label="stderr"
        data-first-focus
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24;
        }}
        className={`${codeClass} h-[min(60dvh,560px)] whitespace-pre-wrap [overflow-wrap:anywhere]`}
      >
        {text}
        {logs !== null && text === "" ? <span className="text-ink-3">It has written nothing.</span> : null}
      </pre>
    </div>
  );
}
