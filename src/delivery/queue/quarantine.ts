import { messageEvent } from "../../events/message-event.ts";
import { detailOf } from "../../message/replies/outcome.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/logger.ts";
import { phrase } from "../../shared/phrase.ts";
import type { MessageDocument, QuarantineDocument } from "../../store/message-documents.ts";
import type { UnreadableDocument } from "../../store/read-each.ts";
import type { AcrossAccounts } from "../../store/store.ts";

/**
 * Quarantines waiting messages that cannot be read or recorded, so that polls do not meet them again. Never throws, so that the
 * other messages are delivered.
 * @returns false if the store was unavailable for at least one of them, which polls may meet again
 */
export type Quarantine = (unreadable: readonly UnreadableDocument[]) => Promise<boolean>;

export interface QuarantineOptions {
  readonly store: Pick<AcrossAccounts, "quarantine" | "events">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Retention of their events. */
  readonly retentionMs: number;
  /** Called with each quarantined message. */
  readonly onQuarantined: () => void;
}

/** Maximum of remembered messages that could not be quarantined, so that not every poll logs them. */
const MAX_REMEMBERED = 10_000;

/** A message that was read, and that cannot be sent or recorded. */
export function damagedMessage(message: MessageDocument, reason: string): UnreadableDocument {
  return { id: message._id, isAddressable: true, reason, fields: new Map(Object.entries(message)) };
}

export function createQuarantine(options: QuarantineOptions): Quarantine {
  const { store, clock, log, retentionMs, onQuarantined } = options;
  const loggedIds = new Set<string>();

  async function keepAside({ id, reason, fields }: UnreadableDocument): Promise<void> {
    const at = clock.now();
    const entry = entryOf(id, reason, fields, at);
    const { accountId = "", traceId = "" } = entry;
    const attempt = fields.get("attempts");
    const attempts = typeof attempt === "number" ? attempt : 0;
    const due = fields.get("nextAttemptAt");
    const isQueued = due !== undefined || fields.has("cancelRequestedAt");
    if (!isQueued && (await store.quarantine.markNoted(id))) return;
    // With the time at which it was due, each quarantine has its own event, and writing it again changes nothing.
    const stay = due instanceof Date ? due.getTime() : 0;
    await store.events.insertMissing([
      messageEvent(
        { _id: id, accountId, traceId },
        {
          kind: "quarantined",
          name: `quarantined-${stay}`,
          attempt: attempts,
          at,
          expireAt: new Date(at.getTime() + retentionMs),
          reply: detailOf(phrase("message.damaged", { reason })),
        },
      ),
    ]);
    if (!(await store.quarantine.add(entry))) return;
    loggedIds.delete(id);
    onQuarantined();
    const hint = "`hermod message quarantine` shows, releases and drops it";
    log.error(
      { message: id, traceId: entry.traceId, reason, hint },
      "a stored message is damaged: it is quarantined",
    );
  }

  function reportOnce({ id, reason }: UnreadableDocument, err?: unknown): void {
    if (loggedIds.has(id) || loggedIds.size >= MAX_REMEMBERED) return;
    loggedIds.add(id);
    log.error(
      { message: id, reason, err },
      "a stored message is damaged, and could not be quarantined: it is passed over",
    );
  }

  return async (unreadable) => {
    let isDone = true;
    for (const document of unreadable) {
      if (!document.isAddressable) reportOnce(document);
      else {
        await keepAside(document).catch((error) => {
          isDone = false;
          reportOnce(document, error);
        });
      }
    }
    return isDone;
  };
}

function entryOf(
  id: string,
  reason: string,
  fields: UnreadableDocument["fields"],
  at: Date,
): QuarantineDocument {
  const text = (name: string) => {
    const value = fields.get(name);
    return typeof value === "string" ? { [name]: value } : {};
  };
  const cancelRequestedAt = fields.get("cancelRequestedAt");
  const bucket = fields.get("bucket");
  return {
    _id: id,
    ...(typeof bucket === "number" && { bucket }),
    reason,
    at,
    ...text("accountId"),
    ...text("traceId"),
    ...text("from"),
    ...text("recipient"),
    ...text("subject"),
    ...(cancelRequestedAt instanceof Date && { cancelRequestedAt }),
  };
}
