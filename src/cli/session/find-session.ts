import type { HallClient } from "../../client/hall-client.ts";
import { HallError } from "../../schema/hall-error.ts";
import { SessionId } from "../../schema/ids.ts";
import type { Session } from "../../schema/session.ts";
import { quoted, safeText } from "../safe-text.ts";
import { table } from "../table.ts";

type Sessions = Pick<HallClient["sessions"], "get" | "list">;

/** The session a person means: by its id, the beginning of its id, its name, or a part of its name that no other has. */
export async function findSession(sessions: Sessions, wanted: string): Promise<Session> {
  const id = SessionId.safeParse(wanted);
  if (id.success) return (await sessions.get(id.data, { limit: 1 })).session;
  if (wanted.trim() === "") throw new HallError("bad_request", "Say which session: its id, or a part of its name.");
  const found = await candidates(sessions, wanted);
  const named = found.filter(({ name }) => name === wanted);
  const [only, ...others] = named.length > 0 ? named : found;
  if (only === undefined) {
    throw new HallError("not_found", `There is no session ${quoted(wanted)}. List them with: guild-hall session list`);
  }
  if (others.length > 0) throw ambiguous(wanted, [only, ...others]);
  return only;
}

const pageSize = 500;
/** What the hall searches for at most. */
const maxSearch = 200;

async function candidates(sessions: Sessions, wanted: string): Promise<Session[]> {
  const isId = /^ses_[0-9a-z]*$/.test(wanted);
  // The search also brings up sessions in which it was said, and none by a part of its id.
  const query = isId || wanted.length > maxSearch ? {} : { q: wanted };
  const found: Session[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await sessions.list({ ...query, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.sessions.filter(({ id, name }) => (isId && id.startsWith(wanted)) || holds(name, wanted)));
    cursor = page.nextCursor;
  }
  return found;
}

const holds = (name: string, part: string): boolean => name.toLowerCase().includes(part.toLowerCase());

const mostShown = 10;

function ambiguous(wanted: string, found: readonly Session[]): HallError {
  const rows = table(found.slice(0, mostShown).map(({ id, status, name }) => [id, status, safeText(name)]));
  const more = found.length > mostShown ? [`and ${found.length - mostShown} more`] : [];
  const lines = [...rows, ...more].map((row) => `  ${row}`).join("\n");
  return new HallError("bad_request", `${quoted(wanted)} may be any of ${found.length} sessions. Use the id of one:\n${lines}`);
}
