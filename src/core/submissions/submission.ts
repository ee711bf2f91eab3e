import type { Envelope } from "../../../gen/hermod/submission/v1/submission_service_pb.ts";
import type { SubmittedHeader } from "../../message/header/submitted-header.ts";
import type { Fault } from "../../shared/fault.ts";
import type { NewBody } from "../../store/content-store.ts";
import type { KeyDocument } from "../../store/documents.ts";
import type { PolicyDocument } from "../../store/policy-document.ts";
import type { ReadEnvelope } from "./read-envelope.ts";

/** A submission whose envelope may be used. */
export interface OpenSubmission {
  readonly envelope: ReadEnvelope;
  readonly passage: Pick<Envelope, "clientName" | "protocol" | "serverName"> & {
    readonly clientAddress: string;
  };
  readonly key: KeyDocument;
  readonly traceId: string;
  /** Aborted: nobody waits for the answer any more, and nothing is to be stored. */
  readonly signal: AbortSignal;
}

/** A submission of which the header is known, too. */
export interface PreparedSubmission extends OpenSubmission {
  readonly header: SubmittedHeader;
  /** What is stored in the header's place. */
  readonly head: Buffer;
  readonly headerMessageId: string;
  /** The ids of its messages, in the order of the recipients and of the alphabet. */
  readonly ids: readonly [string, ...string[]];
  readonly contentId: string;
  readonly expireAt: Date;
  /** The policy that it takes; a Fault: it is refused, unless it was accepted before. */
  readonly verdict: PolicyDocument | Fault;
}

export interface ArrivedBody {
  readonly body: NewBody;
  /** Octets of what is stored. */
  readonly sizeBytes: number;
  /** SHA-256 of the source as it came. */
  readonly sourceHash: string;
}
