import { z } from "zod";
import { Artifact, ArtifactList, ArtifactReceived, UploadArtifact } from "../../schema/artifact.ts";
import { Check, CheckList } from "../../schema/check.ts";
import { DiskPart, DiskUsage } from "../../schema/disk.ts";
import { EntryCode } from "../../schema/entry-code.ts";
import { HallEvent } from "../../schema/hall-event.ts";
import { Health, ModelInfo } from "../../schema/health.ts";
import {
  AnswerQuestion,
  Answered,
  CancelledJob,
  DeletedJob,
  DismissQuestion,
  DispatchJob,
  Dispatched,
  Job,
  JobDecision,
  JobDetail,
  JobEvent,
  JobEvents,
  JobList,
  JobQuestion,
  JobUsage,
  WorkerResult,
} from "../../schema/job.ts";
import { JobStreamEvent } from "../../schema/job-stream.ts";
import { Issue, Problem } from "../../schema/problem.ts";
import {
  AcceptTools,
  AddMember,
  ConnectionStep,
  Member,
  MemberLogs,
  MemberTool,
  RemovedMember,
  Roster as MemberList,
} from "../../schema/roster.ts";
import {
  Block,
  ChangeSession,
  CreateSession,
  Match,
  Message,
  MessageAccepted,
  MessageQueue,
  SendMessage,
  Session,
  SessionDetail,
  SessionFailure,
  SessionList,
} from "../../schema/session.ts";
import { RunAction, RunDetail, RunNode, RunsState, RunTree, WaitingFor } from "../../schema/run.ts";
import { RunEvent } from "../../schema/run-event.ts";
import { SessionEvent } from "../../schema/session-event.ts";
import { DayLimit, DaySpending, ReachedLimit, SetDayLimit, Spending } from "../../schema/spending.ts";
import { ToolAnswer, ToolContent, ToolDefinition } from "../../schema/tool.ts";
import { InvokeTool, SaveToolCall, ToolCall, ToolCallList } from "../../schema/tool-call.ts";
import { QueryUsage, SessionUsage } from "../../schema/usage.ts";

/** What requests carry. */
const requests = {
  CreateSession,
  ChangeSession,
  SendMessage,
  UploadArtifact,
  AddMember,
  AcceptTools,
  InvokeTool,
  SaveToolCall,
  DispatchJob,
  AnswerQuestion,
  DismissQuestion,
  SetDayLimit,
};

/** What answers carry, and what that is made of. */
const answers = {
  Health,
  ModelInfo,
  CheckList,
  Check,
  EntryCode,
  HallEvent,
  RunEvent,
  Session,
  SessionFailure,
  SessionUsage,
  QueryUsage,
  SessionDetail,
  SessionList,
  RunsState,
  RunDetail,
  RunTree,
  RunNode,
  RunAction,
  WaitingFor,
  Match,
  Message,
  Block,
  MessageAccepted,
  MessageQueue,
  SessionEvent,
  ArtifactList,
  Artifact,
  ArtifactReceived,
  Roster: MemberList,
  Member,
  MemberTool,
  ToolDefinition,
  ConnectionStep,
  MemberLogs,
  RemovedMember,
  ToolAnswer,
  ToolContent,
  ToolCall,
  ToolCallList,
  Job,
  JobUsage,
  JobList,
  JobDetail,
  JobQuestion,
  JobDecision,
  JobEvent,
  JobEvents,
  JobStreamEvent,
  WorkerResult,
  Dispatched,
  CancelledJob,
  DeletedJob,
  Answered,
  Spending,
  DaySpending,
  DayLimit,
  ReachedLimit,
  DiskUsage,
  DiskPart,
  Problem,
  Issue,
};

export type Direction = "input" | "output";

/** Shapes that the API speaks of by name, each described once. */
export const namedShapes: readonly { id: string; schema: z.ZodType; io: Direction }[] = [
  ...Object.entries(requests).map(([id, schema]) => ({ id, schema, io: "input" as const })),
  ...Object.entries(answers).map(([id, schema]) => ({ id, schema, io: "output" as const })),
];

/** What a schema is called, where zod asks for it. */
export const shapeNames = z.registry<{ id: string }>();
for (const { id, schema } of namedShapes) shapeNames.add(schema, { id });
