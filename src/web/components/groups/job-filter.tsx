"use client";

import { Funnel } from "lucide-react";
import type { JobList } from "../../../schema/job.ts";
import { jobCountOf, jobShows } from "../../live/jobs-query.ts";
import type { JobShow, JobsQuery } from "../../live/jobs-query.ts";
import { useWorkers } from "../../live/use-workers.ts";
import { Select } from "../elements/input.tsx";
import { Segment } from "../elements/segment.tsx";
import { Switch } from "../elements/switch.tsx";
import { FilterSearch } from "./filter-search.tsx";

type JobFilterProps = {
  query: JobsQuery;
  words: string;
  counts: JobList["counts"] | undefined;
  onChange: (change: Partial<JobsQuery>) => void;
};

const shows: readonly JobShow[] = ["all", "needs-you", "running", "completed", "failed", "cancelled"];

/** Which jobs to see: how they stand, whose they are, and what they are about. */
export function JobFilter({ query, words, counts, onChange }: JobFilterProps) {
  const workers = useWorkers();
  const isKnown = query.worker === "" || workers.some(({ name }) => name === query.worker);
  return (
    <search aria-label="Filter jobs" className="mb-4 flex flex-wrap items-center gap-2">
      <Segment
        label="Status"
        options={shows.map((value) => ({
          value,
          label: jobShows[value].label,
          ...(counts === undefined ? {} : { count: jobCountOf(value, counts) }),
          ...(value === "needs-you" ? { counts: "questions that wait for you" } : {}),
        }))}
        value={query.show}
        onChange={(show) => onChange({ show })}
      />
      {query.show === "failed" || query.show === "all" ? (
        <span className="ml-1 text-xs leading-5 text-ink-2 max-rail:w-full">
          <Switch checked={query.hidden} onChange={(event) => onChange({ hidden: event.target.checked })}>
            With hidden ones
          </Switch>
        </span>
      ) : null}
      <div className="ml-auto flex items-center gap-2 max-column:ml-0 max-rail:w-full max-rail:flex-wrap">
        <Select
          aria-label="Worker"
          value={query.worker}
          onChange={(event) => onChange({ worker: event.target.value })}
          className="h-(--h-md) w-auto! min-h-(--h-md) max-w-48 py-0! max-rail:h-11 max-rail:w-full! max-rail:max-w-none"
        >
          <option value="">Any worker</option>
          {workers.map(({ name, displayName }) => (
            <option key={name} value={name}>
              {displayName}
            </option>
          ))}
          {isKnown ? null : <option value={query.worker}>{query.worker}</option>}
        </Select>
        <FilterSearch
          label="Description: a word, or a glob such as *retry*"
          placeholder="*retry* or a word"
          icon={Funnel}
          words={words}
          first="main a[data-job]"
          onWords={(written) => onChange({ words: written })}
          className="w-[250px] max-rail:w-full"
          inputClassName="h-(--h-md) min-h-(--h-md) py-0! font-mono text-(length:--code)! max-rail:text-[16px]!"
        />
      </div>
    </search>
  );
}
