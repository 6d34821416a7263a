import type { Metadata } from "next";
import { JobsScreen } from "../../../components/screens/jobs.tsx";
import { hall } from "../../../hall.ts";
import { firstJobs, readJobGroups } from "../../../live/job-groups.ts";
import { readJobsQuery } from "../../../live/jobs-query.ts";

export const metadata: Metadata = { title: "Jobs" };

type Parameters = Record<string, string | string[] | undefined>;

export default async function JobsPage({ searchParams }: { searchParams: Promise<Parameters> }) {
  const parameters = await searchParams;
  const query = readJobsQuery((name) => [parameters[name]].flat()[0]);
  return <JobsScreen initial={await readJobGroups(hall().jobs, query, () => firstJobs)} />;
}
