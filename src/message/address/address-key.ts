/**
 * The comparison key of an address, equal for its different spellings. It ignores the case of the local part: RFC 5321 section
 * 2.4 lets a host distinguish `A` from `a`, but no large provider does, and capitals must not evade a verified sender or a
 * suppression.
 */
export function addressKey(address: string): string {
  return address.normalize("NFC").toLowerCase();
}
