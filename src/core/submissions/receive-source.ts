import { createHash } from "node:crypto";
import { findBody, headerTooLarge, MAX_HEADER_OCTETS } from "../../message/header/source-headers.ts";
import { createLineCheck, type SourceFault } from "../../message/header/source-lines.ts";
import { Fault, fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { createGrowingBuffer } from "../../shared/growing-buffer.ts";
import type { Store } from "../../store/store.ts";
import type { Upload } from "../../store/upload.ts";
import type { AcceptSubmission, SubmissionAnswer } from "./accept-submission.ts";
import type { OpenSubmission, PreparedSubmission } from "./submission.ts";

export interface ReceiveSourceOptions {
  readonly accept: Pick<AcceptSubmission, "prepare" | "store">;
  readonly store: Pick<Store, "acrossAccounts">;
  readonly maxBytes: number;
  /** Called if parts of a refused source could not be removed: they expire. */
  readonly onError: (error: unknown) => void;
}

/** Receives the source of one submission in parts. Every method rejects with a Fault if the source is refused. */
export interface SourceReceiver {
  /** Wait for it before the next part. */
  push(piece: Buffer): Promise<void>;
  readonly receivedBytes: number;
  /** The source is complete: stores the submission. */
  finish(): Promise<SubmissionAnswer>;
  /** Removes the stored parts; never rejects. */
  abort(): Promise<void>;
}

/** Creates receivers, each of which keeps at most the header and one chunk of its source in memory. */
export function createReceiveSource({ accept, store, maxBytes, onError }: ReceiveSourceOptions) {
  // Parts have no owner until a message refers to them.
  const { contents } = store.acrossAccounts;

  async function remove(upload: Upload | undefined): Promise<void> {
    await upload?.abort().catch(onError);
  }

  return (submission: OpenSubmission): SourceReceiver => {
    const hash = createHash("sha256");
    const lines = createLineCheck();
    let receivedBytes = 0;
    let storedBytes = 0;
    /** Source up to the start of its body. */
    const beginning = createGrowingBuffer();
    let prepared: PreparedSubmission | undefined;
    let upload: Upload | undefined;

    async function keep(bytes: Buffer): Promise<void> {
      storedBytes += bytes.length;
      await upload?.write(bytes);
    }

    async function beginBody(source: Buffer, bodyAt: number): Promise<PreparedSubmission> {
      prepared = await accept.prepare(submission, source.subarray(0, bodyAt));
      // For a refused source, only the hash is needed, to find out whether it was accepted before.
      if (!(prepared.verdict instanceof Fault))
        upload = contents.upload(prepared.contentId, prepared.expireAt);
      await keep(prepared.head);
      await keep(source.subarray(bodyAt));
      return prepared;
    }

    return {
      get receivedBytes() {
        return receivedBytes;
      },

      push: async (piece) => {
        receivedBytes += piece.length;
        if (receivedBytes > maxBytes) throw tooLarge(maxBytes);
        hash.update(piece);
        refuse(lines.push(piece));
        if (prepared) return keep(piece);
        const before = beginning.view().length;
        beginning.append(piece);
        const source = beginning.view();
        const bodyAt = findBody(source, before);
        if (bodyAt > MAX_HEADER_OCTETS || (bodyAt === -1 && source.length > MAX_HEADER_OCTETS)) {
          refuse(headerTooLarge());
        }
        if (bodyAt !== -1) await beginBody(source, bodyAt);
      },

      finish: async () => {
        refuse(lines.end());
        // A message may consist of a header only (RFC 5322 section 2.1).
        const ready = prepared ?? (await beginBody(beginning.view(), receivedBytes));
        const body = (await upload?.finish()) ?? { kind: "uploaded" as const, chunkCount: 0 };
        const sourceHash = hash.digest("base64url");
        const written = upload;
        // Messages may refer to it from here on, even if the answer of the store is lost.
        upload = undefined;
        try {
          const answer = await accept.store(ready, { body, sizeBytes: storedBytes, sourceHash });
          // The answer does not wait for it, because the store may be in a failover.
          if (answer.replayed) void remove(written);
          return answer;
        } catch (error) {
          if (error instanceof Fault && isUnstored(error)) void remove(written);
          throw error;
        }
      },

      abort: () => remove(upload),
    };
  };
}

/** No message refers to the source: another one has its key, or the caller no longer waited. */
function isUnstored({ code }: Fault): boolean {
  return code.startsWith("idempotency.") || code === "core.timeout";
}

/** @throws Fault message.malformed */
function refuse(found: SourceFault | undefined): void {
  if (found) throw fault("message.malformed", { public: found.message });
}

function tooLarge(maxBytes: number): Fault {
  return fault("message.too_large", {
    public: say("message_more_than_octets_limit", { max: maxBytes }),
  });
}
