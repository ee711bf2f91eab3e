import type { Envelope } from "../../../gen/hermod/submission/v1/submission_service_pb.ts";
import type { SubmittedHeader } from "../../message/header/submitted-header.ts";
import type { Fault } from "../../shared/fault.ts";
import type { NewBody } from "../../store/content-store.ts";
import type { KeyDocument } from "../../store/documents.ts";
import type { PolicyDocument } from "../../store/policy-document.ts";
import type { ReadEnvelope } from "./read-envelope.ts";

/** A submission with an accepted envelope. */
export interface OpenSubmission {
  readonly envelope: ReadEnvelope;
  readonly passage: Pick<Envelope, "clientName" | "protocol" | "serverName"> & {
    readonly clientAddress: string;
  };
  readonly key: KeyDocument;
  readonly traceId: string;
  /** Aborted: the caller no longer waits, and nothing must be stored. */
  readonly signal: AbortSignal;
}

/** A submission with a known header. */
export interface PreparedSubmission extends OpenSubmission {
  readonly header: SubmittedHeader;
  /** Header in stored form. */
  readonly head: Buffer;
  readonly headerMessageId: string;
  /** Ids of its messages, in the order of the recipients, which is also alphabetical. */
  readonly ids: readonly [string, ...string[]];
  readonly contentId: string;
  readonly expireAt: Date;
  /** Policy of the submission. A Fault: it is refused, unless it was accepted before. */
  readonly verdict: PolicyDocument | Fault;
}

export interface ArrivedBody {
  readonly body: NewBody;
  /** Number of stored octets. */
  readonly sizeBytes: number;
  /** SHA-256 of the received source. */
  readonly sourceHash: string;
}
