import type { Envelope } from "../../../gen/hermod/submission/v1/submission_service_pb.ts";
import { addressKey } from "../../message/address/address-key.ts";
import { parseAddress } from "../../message/address/addresses.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { isSubmissionId } from "../../shared/ids.ts";
import type { DsnNotify } from "../../store/message-documents.ts";
import { createFieldFaults, type FieldFaults, pointer } from "../field-faults.ts";

export interface ReadRecipient {
  readonly address: string;
  readonly notify?: readonly DsnNotify[];
  readonly originalRecipient?: string;
}

export interface ReadEnvelope {
  readonly mailFrom: string;
  /** Recipients without duplicates. */
  readonly recipients: readonly ReadRecipient[];
  /** Index in `recipients` of each given recipient. */
  readonly positions: readonly number[];
  readonly submissionId?: string;
  readonly envelopeId?: string;
  readonly returnContent?: "full" | "headers";
}

const notifyValues: readonly DsnNotify[] = ["never", "success", "failure", "delay"];
/** RFC 3461 sections 4.2 and 4.4. */
const MAX_ORIGINAL_RECIPIENT_LENGTH = 500;
const MAX_ENVELOPE_ID_LENGTH = 100;

/**
 * Address of MAIL FROM in its normal form.
 * @throws Fault sender.null_not_allowed, sender.malformed
 */
export function readMailFrom(address: string): string {
  if (address === "") throw fault("sender.null_not_allowed");
  const result = parseAddress(address);
  if (result.ok) return result.address;
  throw fault("sender.malformed", { public: say("mail_from", { detail: result.message.text }) });
}

/** @throws Fault of readMailFrom, or request.validation_failed with the fields */
export function readEnvelope(envelope: Envelope, limits: { readonly recipients: number }): ReadEnvelope {
  const mailFrom = readMailFrom(envelope.mailFrom);
  const faults = createFieldFaults();
  const { submissionId, envelopeId, returnContent, recipients: given } = envelope;
  if (given.length === 0) faults.add("/recipients", "field.required", say("least_one_recipient_needed"));
  if (given.length > limits.recipients) {
    const message = say("submission_recipients", { max: limits.recipients });
    throw validationFault([{ pointer: "/recipients", code: "field.too_many", message }]);
  }
  const recipients: ReadRecipient[] = [];
  const known = new Map<string, number>();
  const positions = given.map(({ address, notify, originalRecipient }, index) => {
    const result = parseAddress(address);
    if (!result.ok) faults.add(pointer("recipients", index, "address"), result.code, result.message);
    const key = addressKey(result.ok ? result.address : address);
    const position = known.get(key);
    if (position !== undefined) return position;
    known.set(key, recipients.length);
    const wanted = readNotify(notify, index, faults);
    checkLength(
      originalRecipient,
      MAX_ORIGINAL_RECIPIENT_LENGTH,
      `/recipients/${index}/original_recipient`,
      faults,
    );
    return (
      recipients.push({
        address: result.ok ? result.address : address,
        ...(wanted && { notify: wanted }),
        ...(originalRecipient !== "" && { originalRecipient }),
      }) - 1
    );
  });
  if (submissionId !== "" && !isSubmissionId(submissionId)) {
    faults.add("/submission_id", "field.invalid", say("submission_id"));
  }
  checkLength(envelopeId, MAX_ENVELOPE_ID_LENGTH, "/envelope_id", faults);
  if (returnContent !== "" && returnContent !== "full" && returnContent !== "headers") {
    faults.add("/return_content", "field.invalid", say("return_content", { given: returnContent }));
    throw validationFault(faults.found);
  }
  if (faults.found.length > 0) throw validationFault(faults.found);
  return {
    mailFrom,
    recipients,
    positions,
    ...(submissionId !== "" && { submissionId }),
    ...(envelopeId !== "" && { envelopeId }),
    ...(returnContent !== "" && { returnContent }),
  };
}

function readNotify(given: readonly string[], index: number, faults: FieldFaults): DsnNotify[] | undefined {
  if (given.length === 0) return undefined;
  const read = notifyValues.filter((value) => given.includes(value));
  const isKnown = given.every((value) => notifyValues.some((known) => known === value));
  if (isKnown && (read.length === 1 || !read.includes("never"))) return read;
  const message = say("notify_never_alone_some_success_failure");
  faults.add(pointer("recipients", index, "notify"), "field.invalid", message);
  return undefined;
}

function checkLength(text: string, max: number, at: string, faults: FieldFaults): void {
  if (text.length > max) faults.add(at, "field.too_long", say("up_to_characters", { max }));
}
