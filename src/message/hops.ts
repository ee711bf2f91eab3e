const CRLF_CRLF = Buffer.from("\r\n\r\n");

/**
 * How many servers the message has passed: its Received fields (RFC 5321 section 6.3).
 * @param source with CRLF
 */
export function countHops(source: Buffer): number {
  const end = source.indexOf(CRLF_CRLF);
  const header = source.toString("latin1", 0, end < 0 ? source.length : end);
  return header.match(/^received[ \t]*:/gim)?.length ?? 0;
}
