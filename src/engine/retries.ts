import { decodeDocument } from "./bson/decode.ts";
import { encodeDocument } from "./bson/encode.ts";
import type { Doc } from "./bson/values.ts";
import { CommandError } from "./errors.ts";
import type { SqliteFile } from "./storage/database.ts";

/** Number of remembered sessions with their last write; the least recently used are forgotten. */
const MAX_SESSIONS = 10_000;

/**
 * The result of the last write of each session, committed together with that write: a client that lost the reply and retries,
 * even after a crash, gets the result instead of a second write.
 */
export function createRetries(file: SqliteFile) {
  let sessions = new Map<string, { number: bigint; reply: Buffer }>();
  let unsaved = new Set<string>();
  const load = () => {
    sessions = new Map();
    unsaved = new Set();
    for (const [session, number, reply] of file
      .prepare("SELECT session, number, reply FROM retries")
      .all([])) {
      sessions.set((session as Buffer).toString("hex"), {
        number: BigInt(number as number),
        reply: reply as Buffer,
      });
    }
  };
  load();
  return {
    /** The stored reply to this write, if it was run. Throws TransactionTooOld for an earlier one. */
    find: (session: string, number: bigint): Doc | undefined => {
      const kept = sessions.get(session);
      if (kept === undefined || number > kept.number) return undefined;
      if (number < kept.number) {
        throw new CommandError(
          225,
          `Retryable write with txnNumber ${number} is prohibited on session ${session} because a newer retryable write with txnNumber ${kept.number} has already started on this session.`,
        );
      }
      return decodeDocument(kept.reply);
    },
    keep: (session: string, number: bigint, reply: Doc): void => {
      sessions.delete(session);
      sessions.set(session, { number, reply: encodeDocument(reply) });
      unsaved.add(session);
    },
    /** Writes the new results; part of each commit. */
    flush: (): void => {
      const put = file.prepare("INSERT OR REPLACE INTO retries (session, number, reply) VALUES (?, ?, ?)");
      for (const session of unsaved) {
        const kept = sessions.get(session);
        if (kept !== undefined) put.run([Buffer.from(session, "hex"), Number(kept.number), kept.reply]);
      }
      unsaved.clear();
      while (sessions.size > MAX_SESSIONS) {
        const [oldest = ""] = sessions.keys();
        sessions.delete(oldest);
        file.prepare("DELETE FROM retries WHERE session = ?").run([Buffer.from(oldest, "hex")]);
      }
    },
    /** Discards uncommitted results. */
    reload: load,
  };
}
