import type { MessageId, SessionId } from "../schema/ids.ts";
import { isQuestion } from "../schema/session.ts";
import type { Message, Session } from "../schema/session.ts";
import type { HallClient } from "./hall-client.ts";

type Reader = Pick<HallClient["sessions"], "get">;

const pageSize = 100;

type Page = Awaited<ReturnType<Reader["get"]>>;

/** What was said in a session, the newest first, page after page for as long as the reader wants more; `newest` was read before. */
export async function* newestFirst(client: Reader, id: SessionId, newest?: Page): AsyncGenerator<Message> {
  let page = newest ?? (await client.get(id, { limit: pageSize }));
  for (;;) {
    yield* page.messages.toReversed();
    if (page.nextCursor === null) return;
    page = await client.get(id, { limit: pageSize, cursor: page.nextCursor });
  }
}

/** The id of the last question as of the newest page. A long answer fills this page and more, so the question may be on an older one. */
export async function lastQuestion(client: Reader, id: SessionId, newest: Page): Promise<MessageId | null> {
  for await (const message of newestFirst(client, id, newest)) if (isQuestion(message)) return message.id;
  return null;
}

/** The answer to a message as it is stored: everything up to the next question. Null where the message is not in the history. */
export async function answerTo(client: Reader, id: SessionId, messageId: MessageId): Promise<Message[] | null> {
  let answer: Message[] = [];
  for await (const message of newestFirst(client, id)) {
    if (message.id === messageId) return answer.toReversed();
    answer = isQuestion(message) ? [] : [...answer, message];
  }
  return null;
}

/**
 * A session with all that was said, oldest first. The hall gives pages from the end, so they are gone through twice: once
 * to learn where they begin, once to hand them out. No more than one page is held at a time.
 */
export async function readWhole(client: Reader, id: SessionId): Promise<{ session: Session; messages: AsyncGenerator<Message> }> {
  // Read once only: what is said meanwhile would move the pages that count from the end.
  const newest = await client.get(id, { limit: pageSize });
  const cursors: string[] = [];
  for (let cursor = newest.nextCursor; cursor !== null;) {
    cursors.push(cursor);
    cursor = (await client.get(id, { limit: pageSize, cursor })).nextCursor;
  }
  async function* messages(): AsyncGenerator<Message> {
    for (const cursor of cursors.toReversed()) yield* (await client.get(id, { limit: pageSize, cursor })).messages;
    yield* newest.messages;
  }
  return { session: newest.session, messages: messages() };
}
