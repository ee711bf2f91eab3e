import type { MessageBody } from "../../message/content.ts";
import { createNaturalBatch } from "../../shared/natural-batch.ts";
import { PhraseError, phrase } from "../../shared/phrase.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { AcrossAccounts } from "../../store/store.ts";

/** An incomplete body: a retry does not help. */
export class UnreadableBodyError extends PhraseError {
  override readonly name = "UnreadableBodyError";
}

/**
 * Loads the body of a message; undefined: it is past its retention. Concurrent loads share a round trip.
 * @throws Fault store.unavailable
 * @throws UnreadableBodyError concerning only this message
 */
export type LoadBody = (message: MessageDocument) => Promise<MessageBody | undefined>;

const MAX_BODIES = 100;
const MAX_BYTES = 16 * 1024 * 1024;

export interface LoadBodyOptions {
  readonly contents: Pick<AcrossAccounts["contents"], "loadMany">;
}

export function createLoadBody({ contents }: LoadBodyOptions): LoadBody {
  const batch = createNaturalBatch<MessageDocument, MessageBody | undefined>({
    run: async (messages) => {
      const loaded = await contents.loadMany(messages.map(({ contentId }) => contentId));
      return messages.map(({ contentId }) => {
        const value = loaded.get(contentId);
        if (value?.kind !== "unreadable") return { ok: true, value };
        const wording = phrase("attempt.body_unreadable", { detail: value.reason });
        return { ok: false, error: new UnreadableBodyError(wording) };
      });
    },
    maxItems: MAX_BODIES,
    maxSize: MAX_BYTES,
    sizeOf: ({ sizeBytes }) => sizeBytes,
    maxConcurrent: 3,
  });
  return (message) => batch.submit(message);
}
