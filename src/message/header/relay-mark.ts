import type { RelayProvider } from "../../shared/relay-providers.ts";
import { localPartOf } from "../dsn/return-path.ts";

/** Name under which providers return a given value. */
export const MARK = "hermod";

/**
 * How each provider is given a value that its notices repeat. Notices of Amazon name the envelope sender anyway. Values of
 * Postmark have at most 80 characters, which a return path can exceed: its local part of 61 characters identifies the message.
 */
const FIELDS: Readonly<
  Partial<Record<RelayProvider, (mark: string) => readonly [name: string, value: string]>>
> = {
  postmark: (mark) => [`X-PM-Metadata-${MARK}`, mark],
  mailgun: (mark) => ["X-Mailgun-Variables", JSON.stringify({ [MARK]: mark })],
  sendgrid: (mark) => ["X-SMTPAPI", JSON.stringify({ unique_args: { [MARK]: mark } })],
};

const HEADER_END = "\r\n\r\n";

/**
 * The field in front of a message by which its provider's notices identify it; empty: none, or the sender has one of that name,
 * which stays unchanged.
 * @param source the message, with CRLF
 */
export function relayMark(provider: RelayProvider, envelopeFrom: string, source: Buffer): string {
  const local = localPartOf(envelopeFrom);
  const field = local === undefined ? undefined : FIELDS[provider]?.(local);
  if (!field) return "";
  const [name, value] = field;
  const end = source.indexOf(HEADER_END);
  const header = source.subarray(0, end < 0 ? source.length : end + 2).toString("latin1");
  const isThere = new RegExp(`(?:^|\\n)${name}[ \\t]*:`, "i").test(header);
  return isThere ? "" : `${name}: ${value}\r\n`;
}
