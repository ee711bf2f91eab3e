import { fromBinary } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import {
  type Email,
  EmailSchema,
  SendEmailBatchRequestSchema,
  type SendEmailRequest,
  SendEmailRequestSchema,
} from "../../../gen/hermod/email/v1/email_service_pb.ts";
import {
  type Submission,
  SubmissionSchema,
  SubmitMessageBatchRequestSchema,
} from "../../../gen/hermod/submission/v1/submission_service_pb.ts";
import { fault } from "../../shared/fault.ts";

/**
 * Submissions are decoded one by one and late: an undecodable one of a batch does not affect the others, and the
 * e-mail of a caller without the permission to send it is never decoded.
 */

/** A SendEmailRequest in wire form. */
export interface UnreadSendEmail {
  /** Empty if it cannot be read. */
  readonly traceId: string;
  readonly sizeBytes: number;
  /** All fields except the e-mail. @throws Fault request.undecodable */
  head(): Omit<SendEmailRequest, "email">;
  /** @throws Fault request.undecodable */
  email(): Email;
}

/** A Submission in wire form. */
export interface UnreadSubmission {
  /** Empty if it cannot be read. */
  readonly traceId: string;
  readonly sizeBytes: number;
  /** @throws Fault request.undecodable */
  read(): Submission;
}

export function readSendEmail(bytes: Uint8Array): UnreadSendEmail {
  const parts = attempt(() => takeOut(bytes, SendEmailRequestSchema.field.email.number));
  const head = attempt(() => fromBinary(SendEmailRequestSchema, opened(parts).rest));
  return {
    traceId: head.ok ? head.value.traceId : "",
    sizeBytes: bytes.length,
    head: () => opened(head),
    // protobuf merges several e-mails by concatenating their bytes.
    email: () => opened(attempt(() => fromBinary(EmailSchema, joined(opened(parts).values)))),
  };
}

/** A SendEmailBatchRequest with undecoded requests. */
export function readSendEmailBatch(bytes: Uint8Array): { readonly requests: readonly UnreadSendEmail[] } {
  const { requests } = SendEmailBatchRequestSchema.field;
  return { requests: takeOut(bytes, requests.number).values.map(readSendEmail) };
}

/** A SubmitMessageBatchRequest with undecoded submissions. */
export function readSubmissionBatch(bytes: Uint8Array): {
  readonly submissions: readonly UnreadSubmission[];
} {
  const { submissions } = SubmitMessageBatchRequestSchema.field;
  return { submissions: takeOut(bytes, submissions.number).values.map(readSubmission) };
}

function readSubmission(bytes: Uint8Array): UnreadSubmission {
  const submission = attempt(() => fromBinary(SubmissionSchema, bytes));
  return {
    traceId: (submission.ok && submission.value.envelope?.traceId) || "",
    sizeBytes: bytes.length,
    read: () => opened(submission),
  };
}

type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

function attempt<T>(read: () => T): Attempt<T> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    return { ok: false, error };
  }
}

function opened<T>(result: Attempt<T>): T {
  if (result.ok) return result.value;
  throw fault("request.undecodable", { cause: result.error });
}

interface Parts {
  /** The values of the field, undecoded. */
  readonly values: readonly Uint8Array[];
  /** The message without them. */
  readonly rest: Uint8Array;
}

/** Separates a message from one of its message fields. */
function takeOut(bytes: Uint8Array, number: number): Parts {
  const reader = new BinaryReader(bytes);
  const values: Uint8Array[] = [];
  const rest: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const [field, type] = reader.tag();
    if (field === number && type === WireType.LengthDelimited) {
      values.push(reader.bytes());
    } else {
      reader.skip(type, field);
      rest.push(bytes.subarray(start, reader.pos));
    }
  }
  return { values, rest: joined(rest) };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only, ...others] = pieces;
  return only && others.length === 0 ? only : Buffer.concat(pieces);
}
