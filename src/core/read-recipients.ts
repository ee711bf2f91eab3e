import { addressKey } from "../message/address/address-key.ts";
import { parseMailbox } from "../message/address/addresses.ts";
import { say } from "../shared/fault-text.ts";
import type { FieldFaults } from "./field-faults.ts";

const MAX_RECIPIENTS = 50;

/**
 * Reads addresses that are notified, each once; errors are added to `faults`.
 * @param at JSON pointer to the list
 */
export function readRecipients(
  given: readonly string[],
  at: string,
  faults: FieldFaults,
  least = 0,
): string[] {
  if (given.length > MAX_RECIPIENTS || given.length < least)
    faults.add(at, "field.invalid", say("recipients", { min: least, max: MAX_RECIPIENTS }));
  const seen = new Set<string>();
  return given.slice(0, MAX_RECIPIENTS).flatMap((text, index) => {
    const read = parseMailbox(text);
    if (!read.ok) {
      faults.add(`${at}/${index}`, read.code, read.message);
      return [];
    }
    const { address } = read.mailbox;
    const isTwice = seen.has(addressKey(address));
    seen.add(addressKey(address));
    return isTwice ? [] : [address];
  });
}
