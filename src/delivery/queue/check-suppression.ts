import {
  decisiveEntry,
  describeSuppression,
  type Addressed as OfMessage,
  scopesOf,
} from "../../routing/suppression.ts";
import type { Clock } from "../../shared/clock.ts";
import { createNaturalBatch } from "../../shared/natural-batch.ts";
import { type Phrase, phrase } from "../../shared/phrase.ts";
import type { SuppressionDocument } from "../../store/documents.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { AcrossAccounts } from "../../store/store.ts";
import { type SuppressionName, suppressionId } from "../../store/suppression-store.ts";

type Addressed = OfMessage & Pick<MessageDocument, "_id">;

/** Result of a message that must not be sent, and the reason. */
export interface Suppressed {
  /** `bounced`: this message caused the entry, and a crash kept its own end from being written. */
  readonly to: "suppressed" | "bounced";
  readonly reason: Phrase;
  /** The matching entry. */
  readonly entry: Pick<SuppressionDocument, "addressKey" | "policy">;
}

/**
 * Checks the suppression list for a message; undefined: it may be sent. Reads the list each time, so that removed entries apply
 * at once.
 * @throws Fault store.unavailable: unknown
 */
export type CheckSuppression = (message: Addressed) => Promise<Suppressed | undefined>;

export interface CheckSuppressionOptions {
  readonly suppressions: Pick<AcrossAccounts["suppressions"], "findAmong">;
  readonly clock: Clock;
}

/** Messages that are about to be sent at the same time share a lookup. */
export function createCheckSuppression({ suppressions, clock }: CheckSuppressionOptions): CheckSuppression {
  const batch = createNaturalBatch<Addressed, SuppressionDocument | undefined>({
    run: async (messages) => {
      const found = new Map<string, SuppressionDocument[]>();
      const { documents, unreadable } = await suppressions.findAmong(messages.flatMap(scopesOf), clock.now());
      const doubts = new Map(
        unreadable.map(({ id, reason }) => [id, `the suppression entry ${id} cannot be read: ${reason}`]),
      );
      for (const entry of documents) {
        const entries = found.get(nameOf(entry));
        if (entries) entries.push(entry);
        else found.set(nameOf(entry), [entry]);
      }
      return messages.map((message) => {
        const names = new Set(scopesOf(message).map(nameOf));
        const value = decisiveEntry(
          [...names].flatMap((name) => found.get(name) ?? []),
          message,
        );
        const doubt = scopesOf(message)
          .map((scope) => doubts.get(suppressionId(scope)))
          .find(Boolean);
        // Without a result no mail is sent, because the recipient may be suppressed.
        return doubt && !value ? { ok: false, error: new Error(doubt) } : { ok: true, value };
      });
    },
    maxItems: 500,
    maxSize: Number.POSITIVE_INFINITY,
    sizeOf: () => 1,
    maxConcurrent: 4,
    enoughItems: 16,
  });
  return async (message) => {
    const entry = await batch.submit(message);
    if (!entry) return undefined;
    const { addressKey, policy, reason, messageId, detail } = entry;
    const named = { entry: { addressKey, ...(policy !== undefined && { policy }) } };
    if (reason === "hard_bounce" && messageId === message._id) {
      const wording = detail === undefined ? phrase("attempt.address_invalid") : { text: detail, parts: [] };
      return { to: "bounced", reason: wording, ...named };
    }
    return { to: "suppressed", reason: describeSuppression(entry, "listed"), ...named };
  };
}

function nameOf({ accountId, addressKey }: SuppressionName): string {
  return `${accountId} ${addressKey}`;
}
