import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type AuthenticateResponse,
  type Credential,
  type CredentialSchema,
  type Envelope,
  type EnvelopeSchema,
  SubmissionSchema,
  SubmissionService,
  SubmitMessageBatchRequestSchema,
  type SubmitMessageBatchResponse,
  type SubmitMessageRequestSchema,
  type SubmitMessageResponse,
} from "../../gen/hermod/submission/v1/submission_service_pb.ts";
import { Fault, fault } from "../shared/fault.ts";
import { createCallBatch } from "./batch.ts";
import { callDefinition } from "./bridge.ts";
import { type CoreCalls, type Upload, unaryClient } from "./calls.ts";
import { withDeadline } from "./with-deadline.ts";

export type CredentialInit = Exclude<MessageInitShape<typeof CredentialSchema>, Credential>;
export type EnvelopeInit = Exclude<MessageInitShape<typeof EnvelopeSchema>, Envelope>;

/** Calls of the SMTP front end to the core. Every method rejects with a Fault. */
export interface SubmissionClient {
  /** Checks a sending key and its password, from this address. */
  authenticate(credential: CredentialInit): Promise<AuthenticateResponse>;
  /** Resolves if the key may send as this address (MAIL FROM). */
  checkSender(credential: CredentialInit, address: string): Promise<void>;
  /** Trace id of a stored submission; undefined: it is not stored yet. An upload in progress may still store it. */
  findSubmission(credential: CredentialInit, submissionId: string): Promise<string | undefined>;
  /**
   * Submits a message in memory. Messages that arrive together are sent in one call.
   * @param source with CRLF, without the dots that SMTP adds
   */
  submit(envelope: EnvelopeInit, source: Uint8Array): Promise<SubmitMessageResponse>;
  /**
   * Submits a message while it arrives, at the pace of the core. Resolves after the message is stored. A refusal may
   * come before the source is read to its end, and is detected with its next piece. The caller must then handle the
   * rest. The iterator of the source is ended, so a stream that must stay open is passed as `stream.iterator({
   * destroyOnReturn: false })`. If the source throws, nothing is stored, and its error is passed on.
   */
  submitStream(envelope: EnvelopeInit, source: AsyncIterable<Uint8Array>): Promise<SubmitMessageResponse>;
}

/** Both ends of a call buffer 16 pieces before they request a pause. */
const PIECE_BYTES = 32 * 1024;

type Part = NonNullable<MessageInitShape<typeof SubmitMessageRequestSchema>["part"]>;

/** The core may stop reading an upload for at most the deadline of a response. */
export function createSubmissionClient(calls: CoreCalls): SubmissionClient {
  const { deadlineMs } = calls;
  const unary = unaryClient(calls, SubmissionService);
  const definition = callDefinition(SubmissionService, SubmissionService.method.submitMessage);
  const batch = createCallBatch<typeof SubmissionSchema, SubmitMessageResponse>({
    calls,
    service: SubmissionService,
    method: SubmissionService.method.submitMessageBatch,
    field: SubmitMessageBatchRequestSchema.field.submissions,
    item: SubmissionSchema,
    outcomesOf: (response) => (response as SubmitMessageBatchResponse).results.map(({ outcome }) => outcome),
    // The submitter first asks for the result, which is more reliable than a refusal of the second try.
    repeatable: () => false,
  });

  async function submitStream(
    envelope: EnvelopeInit,
    source: AsyncIterable<Uint8Array>,
  ): Promise<SubmitMessageResponse> {
    const ended = new AbortController();
    let answer: (refusal: Fault | undefined, response: unknown) => void = () => undefined;
    const answered = new Promise<SubmitMessageResponse>((resolve, reject) => {
      answer = (refusal, response) => {
        ended.abort();
        if (refusal) reject(refusal);
        else resolve(response as SubmitMessageResponse);
      };
    });
    // The caller may not be waiting yet when the core refuses.
    answered.catch(() => undefined);
    const call = await calls.upload(definition, (refusal, response) => answer(refusal, response));
    try {
      await send(call, partsOf(envelope, source), ended.signal, deadlineMs);
    } catch (error) {
      call.cancel();
      // After the response of the core, an error that stopped the upload follows from it.
      if (ended.signal.aborted) return answered;
      throw error;
    }
    call.end();
    return withDeadline(deadlineMs, answered, () => call.cancel());
  }

  return {
    authenticate: (credential) => unary.authenticate({ credential }),
    checkSender: async (credential, address) => void (await unary.checkSender({ credential, address })),
    findSubmission: async (credential, submissionId) => {
      try {
        return (await unary.findSubmission({ credential, submissionId })).traceId;
      } catch (error) {
        if (error instanceof Fault && error.code === "message.unknown") return undefined;
        throw error;
      }
    },
    submit: (envelope, source) => batch.submit({ envelope, source }),
    submitStream,
  };
}

async function* partsOf(envelope: EnvelopeInit, source: AsyncIterable<Uint8Array>): AsyncGenerator<Part> {
  yield { case: "envelope", value: envelope } as Part;
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      yield { case: "source", value: chunk.subarray(at, at + PIECE_BYTES) };
    }
  }
  yield { case: "endSizeBytes", value: BigInt(size) };
}

/** Writes all parts at the pace of the core. Stops silently after the call has ended. */
async function send(
  call: Upload,
  parts: AsyncIterable<Part>,
  ended: AbortSignal,
  deadlineMs: number,
): Promise<void> {
  for await (const part of parts) {
    if (ended.aborted) return;
    if (call.write({ part })) continue;
    const signal = AbortSignal.any([ended, AbortSignal.timeout(deadlineMs)]);
    await call.drained(signal).catch((error) => {
      throw ended.aborted ? error : fault("core.timeout", { retryAfterSeconds: 1, cause: error });
    });
  }
}
