import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { MemberTool } from "../../../../schema/roster.ts";
import { visibleText } from "../../../format/visible-text.ts";
import type { FormState } from "../../../tool-form/form-state.ts";
import { Icon } from "../../elements/icon.tsx";
import { ModeSwitch } from "./tool-form.tsx";

type ToolHeadProps = { tool: MemberTool; mode: FormState["mode"]; onMode: (mode: FormState["mode"]) => void };

const longestDescription = 3000;

/** What the tool is, as its member tells it, and what to know before it runs. */
export function ToolHead({ tool, mode, onMode }: ToolHeadProps) {
  return (
    <div className="grid gap-1">
      <div className="flex items-center gap-3">
        <h2 id="tool-name" className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <code className="text-lead">{visibleText(tool.name)}</code>
        </h2>
        <ModeSwitch mode={mode} onMode={onMode} />
      </div>
      <p className="whitespace-pre-line [overflow-wrap:anywhere] text-ink-2">
        {visibleText(tool.description.slice(0, longestDescription))}
      </p>
      {tool.annotations?.destructiveHint === true && tool.annotations.readOnlyHint !== true ? (
        <Warning>The member says that this tool can delete or overwrite things.</Warning>
      ) : null}
      {tool.accepted ? null : <Warning>You can run it by hand. Agents do not get it until somebody accepts it.</Warning>}
    </div>
  );
}

const Warning = ({ children }: { children: ReactNode }) => (
  <p className="flex items-start gap-1.5 text-xs text-warn">
    <Icon of={TriangleAlert} className="mt-px size-3.5" />
    {children}
  </p>
);
