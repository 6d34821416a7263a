import type { Manifest } from "../../schema/manifest.ts";
import type { Member } from "../../schema/roster.ts";

/** The port to `guild-members/`: which members there are, by their folders alone. */
export interface MemberFolders {
  /** Everything that is there now. Never throws for one folder's sake. */
  scan(): Promise<FoundMember[]>;
  /** Calls back soon after something that matters changed, until what this answers is called. */
  watch(onChange: () => void): () => void;
  /** Makes `guild-members/<name>/guild-member.json`, durable before it resolves. Rejects with `conflict` where the folder is taken. */
  add(manifest: Manifest): Promise<void>;
  /** Takes the folder out of `guild-members/`, with the home of the member of that name, and keeps both: they may hold work. Answers where the folder is now. */
  remove(folder: string, name: string): Promise<{ movedTo: string }>;
}

/** One folder with a manifest. In a collection `folder` has two parts. */
export type FoundMember = {
  folder: string;
  /** Absolute. */
  path: string;
  origin: Member["origin"];
  /** What a person should know about it besides, in a sentence: an edited copy that was not upgraded. */
  note?: string;
} & (
  | { manifest: Manifest; problem: null }
  /** `problem` names the file, the line where known, and what to fix. `name` is the folder's own. */
  | { manifest: null; name: string; problem: string }
);
