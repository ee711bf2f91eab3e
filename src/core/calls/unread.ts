import { create, type DescField, fromBinary } from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
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
 * Submissions are decoded one by one and late: what cannot be decoded in one of a batch does not touch the others, and
 * the e-mail of a caller without a right to send it is not looked at.
 */

/** A SendEmailRequest that came over the wire. */
export interface UnreadSendEmail {
  /** Empty when it cannot be read. */
  readonly traceId: string;
  readonly sizeBytes: number;
  /** Everything but the e-mail. @throws Fault request.undecodable */
  head(): Omit<SendEmailRequest, "email">;
  /** @throws Fault request.undecodable */
  email(): Email;
}

/** A Submission that came over the wire. */
export interface UnreadSubmission {
  /** Empty when it cannot be read. */
  readonly traceId: string;
  readonly sizeBytes: number;
  /** @throws Fault request.undecodable */
  read(): Submission;
}

export function readSendEmail(bytes: Uint8Array): UnreadSendEmail {
  const { email: field } = SendEmailRequestSchema.field;
  const head = attempt(() => fromBinary(SendEmailRequestSchema, withoutField(bytes, field.number)));
  return {
    traceId: head.ok ? head.value.traceId : "",
    sizeBytes: bytes.length,
    head: () => opened(head),
    email: () =>
      opened(attempt(() => fromBinary(SendEmailRequestSchema, bytes).email ?? create(EmailSchema))),
  };
}

/** A SendEmailBatchRequest, its requests unread. */
export function readSendEmailBatch(bytes: Uint8Array): { readonly requests: readonly UnreadSendEmail[] } {
  const { requests } = SendEmailBatchRequestSchema.field;
  return { requests: fieldValues(bytes, requests.number).map(readSendEmail) };
}

/** A SubmitMessageBatchRequest, its submissions unread. */
export function readSubmissionBatch(bytes: Uint8Array): {
  readonly submissions: readonly UnreadSubmission[];
} {
  const { submissions } = SubmitMessageBatchRequestSchema.field;
  return { submissions: fieldValues(bytes, submissions.number).map(readSubmission) };
}

function readSubmission(bytes: Uint8Array): UnreadSubmission {
  const submission = attempt(() => fromBinary(SubmissionSchema, bytes));
  return {
    traceId: (submission.ok && submission.value.envelope?.traceId) || "",
    sizeBytes: bytes.length,
    read: () => opened(submission),
  };
}

/** A batch whose submissions were encoded one by one, as the values of its one field. */
export function joinBatch({ number }: DescField, submissions: readonly Uint8Array[]): Buffer {
  const writer = new BinaryWriter();
  for (const bytes of submissions) writer.tag(number, WireType.LengthDelimited).bytes(bytes);
  const { buffer, byteOffset, byteLength } = writer.finish();
  return Buffer.from(buffer, byteOffset, byteLength);
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

/** The values of a repeated field of messages, undecoded. */
function fieldValues(bytes: Uint8Array, number: number): Uint8Array[] {
  const reader = new BinaryReader(bytes);
  const values: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === number && type === WireType.LengthDelimited) values.push(reader.bytes());
    else reader.skip(type, field);
  }
  return values;
}

/** A message without one of its fields. */
function withoutField(bytes: Uint8Array, number: number): Uint8Array {
  const reader = new BinaryReader(bytes);
  const kept: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const [field, type] = reader.tag();
    reader.skip(type, field);
    if (field !== number) kept.push(bytes.subarray(start, reader.pos));
  }
  return Buffer.concat(kept);
}
