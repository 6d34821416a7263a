import type { ReactNode } from "react";
import { Page } from "../groups/page.tsx";
import { PageHead } from "../groups/page-head.tsx";
import { ColourSamples, TypeSamples } from "./gallery/foundations.tsx";
import { ButtonSamples, ChoiceSamples, FieldSamples, MeterSamples } from "./gallery/controls.tsx";
import { BackendSamples, EmptySamples, ErrorSamples, SessionSamples, ToastSamples } from "./gallery/messages.tsx";
import { ChangedToolSamples, ChoiceOfMembersSamples, CommandSamples, MemberSamples, StepSamples } from "./gallery/members.tsx";
import { DiskSamples, LimitSamples, SpendingSamples } from "./gallery/money.tsx";
import { JobQuestionSamples, JobRowSamples, JobTimelineSamples } from "./gallery/jobs.tsx";
import { ArtifactSamples, ContextSamples } from "./gallery/session-parts.tsx";
import { MonogramSamples, StatusSamples } from "./gallery/signs.tsx";
import { RunRowSamples, ToolContentSamples, ToolFormSamples, ToolHistorySamples, ToolResultSamples } from "./gallery/tools.tsx";
import { WaitSamples } from "./gallery/waits.tsx";
import { CodeSamples, MarkdownSamples, MessageSamples, ToolSamples } from "./gallery/conversation.tsx";

/** Every part the pages are made of, in every state it has. */
export function Gallery() {
  return (
    <Page>
      <PageHead title="Components">Every part the pages are made of, in its states.</PageHead>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-8 column:grid-cols-3">
        <Sample title="Status" of={<StatusSamples />} />
        <Sample title="Monogram" of={<MonogramSamples />} />
        <Sample title="Button" of={<ButtonSamples />} />
        <Sample title="Tool row" width="wide" of={<ToolSamples />} />
        <Sample title="Meter" of={<MeterSamples />} />
        <Sample title="Field" of={<FieldSamples />} />
        <Sample title="Chip, segment, count" of={<ChoiceSamples />} />
        <Sample title="Backend indicator" of={<BackendSamples />} />
        <Sample title="Message" width="wide" of={<MessageSamples />} />
        <Sample title="Toast" of={<ToastSamples />} />
        <Sample title="Errors, said plainly" width="wide" of={<ErrorSamples />} />
        <Sample title="Empty and loading" of={<EmptySamples />} />
        <Sample title="Waiting" width="wide" of={<WaitSamples />} />
        <Sample title="Session card" width="all" of={<SessionSamples />} />
        <Sample title="Member row" of={<MemberSamples />} />
        <Sample title="Connection, step by step" width="wide" of={<StepSamples />} />
        <Sample title="Command" of={<CommandSamples />} />
        <Sample title="Changed tool" width="wide" of={<ChangedToolSamples />} />
        <Sample title="Choosing members" of={<ChoiceOfMembersSamples />} />
        <Sample title="Tool form" of={<ToolFormSamples />} />
        <Sample title="Tool result" of={<ToolResultSamples />} />
        <Sample title="Earlier and saved calls" of={<ToolHistorySamples />} />
        <Sample title="Run a tool" of={<RunRowSamples />} />
        <Sample title="Pieces of an answer" width="wide" of={<ToolContentSamples />} />
        <Sample title="Context editor" of={<ContextSamples />} />
        <Sample title="Artifacts and files to attach" of={<ArtifactSamples />} />
        <Sample title="Job row" width="all" of={<JobRowSamples />} />
        <Sample title="Question of a worker" of={<JobQuestionSamples />} />
        <Sample title="Timeline of a job" width="wide" of={<JobTimelineSamples />} />
        <Sample title="Limit" of={<LimitSamples />} />
        <Sample title="Spending" of={<SpendingSamples />} />
        <Sample title="Disk" of={<DiskSamples />} />
        <Sample title="Untrusted text" width="wide" of={<MarkdownSamples />} />
        <Sample title="Code" of={<CodeSamples />} />
        <Sample title="Type" width="all" of={<TypeSamples />} />
        <Sample title="Colour" width="all" of={<ColourSamples />} />
      </div>
    </Page>
  );
}

function Sample({ title, width = "one", of: content }: { title: string; width?: "one" | "wide" | "all"; of: ReactNode }) {
  const id = `sample-${title.toLowerCase().replaceAll(/\W+/g, "-")}`;
  return (
    <section aria-labelledby={id} className={`min-w-0 ${widths[width]}`}>
      <h2 id={id} className="mb-3 border-b border-line pb-1.5">
        {title}
      </h2>
      {content}
    </section>
  );
}

const widths = { one: "", wide: "column:col-span-2", all: "column:col-span-3" };
