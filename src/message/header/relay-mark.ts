import type { RelayProvider } from "../../shared/relay-providers.ts";
import { localPartOf } from "../dsn/return-path.ts";

/** The name under which providers hand back what was given to them. */
export const MARK = "hermod";

/**
 * How each provider is given something that its notices repeat. Amazon's name the envelope sender anyway. Values of Postmark's have
 * 80 characters at most, which a return path can be longer than: the local part, of 61, says which message it is.
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
 * The field that a message needs in front of it for its provider's notices to say which message they are about; empty: none, or
 * its sender has one of that name, which is not touched.
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
