import { detailOf } from "../../message/replies/outcome.ts";
import type { Clock } from "../../shared/clock.ts";
import { createNaturalBatch } from "../../shared/natural-batch.ts";
import { SYSTEM_MAIL, settingsAccountOf } from "../../shared/operations.ts";
import { failurePhrase, phrase } from "../../shared/phrase.ts";
import type { CapturedMessage } from "../../store/sandbox-store.ts";
import type { AcrossAccounts } from "../../store/store.ts";
import type { Transport } from "./transport.ts";

export interface SandboxTransportOptions {
  readonly sandbox: Pick<AcrossAccounts["sandbox"], "insertMissing">;
  readonly clock: Clock;
  readonly retentionMs: number;
}

const VIA = "sandbox";
const { text: CAPTURED } = phrase("sandbox.captured");

/** Stores messages in the sandbox inbox: nothing leaves the machine. */
export function createSandboxTransport({ sandbox, clock, retentionMs }: SandboxTransportOptions): Transport {
  const batch = createNaturalBatch<CapturedMessage, void>({
    run: async (captured) => {
      await sandbox.insertMissing(captured);
      return captured.map(() => ({ ok: true, value: undefined }));
    },
    maxItems: 200,
    maxSize: 16 * 1024 * 1024,
    sizeOf: ({ source }) => source.length,
    maxConcurrent: 2,
  });

  return {
    deliver: async ({ message, envelope, source }) => {
      const now = clock.now();
      try {
        await batch.submit({
          id: message._id,
          // Mail with secrets of users is only for the operator's inbox, not for members who may read captured mail of an
          // account.
          accountId: settingsAccountOf(message),
          isSecret: message.operation === SYSTEM_MAIL,
          traceId: message.traceId,
          envelopeFrom: envelope.from,
          envelopeTo: envelope.to,
          from: message.from,
          subject: message.subject,
          source,
          capturedAt: now,
          expireAt: new Date(now.getTime() + retentionMs),
        });
        return { kind: "captured", reply: { via: VIA, detail: CAPTURED } };
      } catch (error) {
        const wording = phrase("attempt.sandbox_failed", { detail: failurePhrase(error).text });
        return { kind: "unreachable", reply: { via: VIA, ...detailOf(wording) } };
      }
    },
    close: () => undefined,
  };
}
