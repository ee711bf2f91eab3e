const CRLF_CRLF = Buffer.from("\r\n\r\n");

/**
 * Number of fields of a name in a header: Received fields count the servers that a message has passed (RFC 5321 section 6.3).
 * @param source with CRLF
 * @param name of letters and hyphens
 */
export function countFields(source: Buffer, name: string): number {
  const end = source.indexOf(CRLF_CRLF);
  const header = source.toString("latin1", 0, end < 0 ? source.length : end);
  return header.match(new RegExp(`^${name}[ \\t]*:`, "gim"))?.length ?? 0;
}
