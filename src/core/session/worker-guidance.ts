type Worker = { name: string; server: string };

/** What the main agent has to know about the members that work on their own. Null where there is none. */
export function workerGuidance(workers: readonly Worker[]): string | null {
  if (workers.length === 0) return null;
  const named = workers.map(({ name, server }) => `- ${name}: ${toolOf(server, "dispatch")}, and beside it ${others(server)}`);
  return ["# Workers", "These guild members take jobs, which they do on their own while you go on:", named.join("\n"), ...rules].join(
    "\n\n",
  );
}

const toolOf = (server: string, tool: string): string => `mcp__${server}__${tool}`;

const others = (server: string): string => ["list", "status", "result", "cancel", "delete"].map((tool) => toolOf(server, tool)).join(", ");

const rules = [
  "Dispatch what takes long or wants research: a job with a short description and a task that says everything, because the worker sees nothing of this conversation and cannot ask you back. A dispatch answers with a job id at once. Tell the person the id and what you dispatched.",
  "Then end your turn. Do not call status again and again to wait: a job takes minutes, and the person sees it on the Jobs page. Look when the person asks, or when you need a result to go on.",
  "When you look at a job, relay its open questions to the person, word for word and before anything else, and mention the decisions it took by itself. A worker cannot be answered while it runs: dispatch a follow-up whose task carries the earlier task, the question and the person's answer.",
  "When a job is completed, fetch its result and present it: what was asked, the answer, how sure it is and what is still open, with its sources. Name the files it made. Say so plainly when a job failed or was cancelled, and why.",
];
