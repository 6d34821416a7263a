import type { Metadata } from "next";
import { JobGone } from "../../../../../components/screens/job-gone.tsx";

export const metadata: Metadata = { title: "Not found" };

/** In place of the page for any address: from here a way leads to the jobs. */
export default function JobNotFound() {
  return <JobGone />;
}
