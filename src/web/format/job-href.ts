import { addressPart } from "../../client/address-part.ts";

/** Where the page of a job is. */
export const jobHref = (worker: string, jobId: string): string => `/jobs/${addressPart(worker)}/${addressPart(jobId)}`;

/** Enough of an id to tell a few jobs apart by; the whole of it is on the job's own page. */
export const shortJobId = (jobId: string): string => (jobId.length <= 12 ? jobId : jobId.slice(0, 8));
