import { closeSync, openSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Progress } from "./new-lines.ts";
import { indexedText } from "./search-words.ts";

export type Hit = { session: string; offset: number };

export type MessageIndex = ReturnType<typeof openMessageIndex>;

/** Counts the formats of this file. Another number in it means a rebuild, never a migration. */
const format = 1;
/** A message is filed under the number of its session and the byte its line begins at, so nothing else need be kept of it. */
const placesPerSession = 2 ** 32;
const mostSessions = 2 ** 21;

/** The full-text index of messages: a file that may be deleted at any time, and holds no text but only where words are. */
export function openMessageIndex(path: string) {
  const database = openDatabase(path);
  const statement = {
    number: database.prepare("SELECT number FROM session WHERE id = ?"),
    add: database.prepare("INSERT INTO session (id, ino, stamp, done, sum, tail) VALUES (?, 0, '', 0, 0, 0)"),
    progress: database.prepare("SELECT number, ino, stamp, done, sum, tail FROM session WHERE id = ?"),
    advance: database.prepare("UPDATE session SET ino = ?, stamp = ?, done = ?, sum = ?, tail = ? WHERE number = ?"),
    forget: database.prepare("DELETE FROM session WHERE number = ?"),
    insert: database.prepare("INSERT INTO message (rowid, text) VALUES (?, ?)"),
    // A range of rows of the full-text table itself would be found by going through all of them.
    clear: database.prepare("DELETE FROM message WHERE rowid IN (SELECT id FROM message_docsize WHERE id >= ? AND id < ?)"),
    find: database.prepare("SELECT rowid FROM message WHERE message MATCH ? ORDER BY rowid DESC"),
    id: database.prepare("SELECT id FROM session WHERE number = ?"),
    stamps: database.prepare("SELECT number, id, stamp FROM session WHERE number > ? ORDER BY number LIMIT ?"),
  };
  // What `run` returns has the row that SQLite inserted last, also into an internal table; Node 26 throws if that is no safe number.
  for (const name of ["add", "advance", "forget", "insert", "clear"] as const) statement[name].setReadBigInts(true);
  const clear = (number: number) => statement.clear.run(number * placesPerSession, (number + 1) * placesPerSession);

  return {
    /** All or nothing; several changes together are much faster than each alone. */
    together(changes: () => void): void {
      database.exec("BEGIN");
      try {
        changes();
        database.exec("COMMIT");
      } catch (error) {
        if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      }
    },

    /** Gives sessions their numbers in this order: a search that finds too many gives up on the first ones. */
    add(ids: Iterable<string>): void {
      for (const id of ids) if (statement.number.get(id) === undefined) statement.add.run(id);
    },

    /** Where somebody has added it. */
    progressOf: (id: string) => statement.progress.get(id) as (Progress & { number: number }) | undefined, // the columns selected above

    advance(number: number, messages: readonly { offset: number; text: string }[], { ino, stamp, done, sum, tail }: Progress): void {
      if (number >= mostSessions) throw new IndexFull();
      for (const { offset, text } of messages)
        if (offset < placesPerSession) statement.insert.run(number * placesPerSession + offset, indexedText(text));
      statement.advance.run(ino, stamp, done, sum, tail, number);
    },

    clear,

    remove(id: string): void {
      const number = statement.number.get(id)?.["number"];
      if (typeof number !== "number") return;
      clear(number);
      statement.forget.run(number);
    },

    /** The stamps of the next files that are known: all at once they would be many megabytes. */
    stamps: (after: number, most: number) => statement.stamps.all(after, most) as { number: number; id: string; stamp: string }[], // as selected

    /** Sessions with the words in one of their messages, and the last such message: those that were added last come first. */
    find(expression: string, most: number): Hit[] {
      const hits: Hit[] = [];
      let last = -1;
      for (const { rowid } of statement.find.iterate(expression)) {
        const number = Math.floor(Number(rowid) / placesPerSession);
        if (number === last) continue;
        last = number;
        hits.push({ session: String(statement.id.get(number)?.["id"]), offset: Number(rowid) % placesPerSession });
        if (hits.length === most) break;
      }
      return hits;
    },

    close: () => database.close(),
  };
}

/** There were more sessions than numbers; a rebuild counts from the start again. */
export class IndexFull extends Error {}

export function deleteMessageIndex(path: string): void {
  for (const ending of ["", "-wal", "-shm", "-journal"]) rmSync(`${path}${ending}`, { force: true });
}

function openDatabase(path: string): DatabaseSync {
  // SQLite would make it readable for everybody.
  closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path);
  try {
    // Exclusive: one thread of one process uses it, and then its journal needs no memory shared with others.
    database.exec(
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8192; PRAGMA cache_size = -4096",
    );
    const found = database.prepare("PRAGMA user_version").get()?.["user_version"];
    if (found !== 0 && found !== format) throw new OtherFormat();
    if (found === 0) database.exec(`BEGIN; ${tables}; PRAGMA user_version = ${format}; COMMIT`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export class OtherFormat extends Error {}

const tables = `
  CREATE TABLE session (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    ino INTEGER NOT NULL,
    stamp TEXT NOT NULL,
    done INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    tail INTEGER NOT NULL
  );
  CREATE VIRTUAL TABLE message USING fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  )`;
