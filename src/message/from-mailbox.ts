import { addressFault } from "./address-fault.ts";
import { type MailboxResult, parseMailbox } from "./addresses.ts";
import { encodeMailboxes } from "./encode-header.ts";
import { readFromField } from "./from-field.ts";

/**
 * Reads a sender as people write it, under the rules of `parseMailbox`, and judges the From field that is made of it
 * as one that somebody submits finished: what may be sent as whom does not depend on the way it comes.
 */
export function parseFromMailbox(input: string): MailboxResult {
  const result = parseMailbox(input);
  if (!result.ok) return result;
  const field = readFromField("From", encodeMailboxes([result.mailbox]));
  if (field.ok) return result;
  const isQuoted = result.mailbox.address.startsWith('"');
  return addressFault(
    isQuoted ? "address.local_part_invalid" : "address.display_name_invalid",
    field.message,
  );
}
