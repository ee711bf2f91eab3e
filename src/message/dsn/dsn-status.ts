import { isAscii } from "../characters.ts";
import { headerLine } from "../header/encode-header.ts";
import type { DsnFacts, DsnOriginal, DsnStyle } from "./dsn.ts";
import { safeText } from "./safe-text.ts";
import { formatTypedAddress, readTypedAddress, typedAddress } from "./typed-address.ts";

export interface DsnStatusInput {
  readonly facts: DsnFacts;
  readonly original: Pick<DsnOriginal, "arrivedAt" | "envelopeId">;
  readonly reportingMta: string;
}

/** RFC 5322 section 2.1.1 allows 998 octets in a line, and words without a space cannot be folded. */
const MAX_VALUE_OCTETS = 900;
const HOST = /^[a-z0-9._:[\]-]{1,255}$/i;
const STATUS = /^[245]\.\d{1,3}\.\d{1,3}$/;

/** The body of a `message/delivery-status` part (RFC 3464 section 2), or of its global variant (RFC 6533). */
export function dsnStatus({ facts, original, reportingMta }: DsnStatusInput, style: DsnStyle): string {
  const { diagnostic, lastAttemptAt, willRetryUntil } = facts;
  const originalRecipient = readTypedAddress(facts.originalRecipient);
  const text = (value: string | undefined) => fieldText(value, style);
  const diagnosticText = text(diagnostic?.text);
  const perMessage = [
    line("Reporting-MTA", host(reportingMta) ?? "dns; localhost"),
    line("Original-Envelope-Id", text(original.envelopeId)),
    line("Arrival-Date", date(original.arrivedAt)),
  ];
  const perRecipient = [
    line("Original-Recipient", originalRecipient && text(formatTypedAddress(originalRecipient))),
    line("Final-Recipient", text(formatTypedAddress(typedAddress(facts.recipient)))),
    line("Action", facts.action),
    line("Status", STATUS.test(facts.status) ? facts.status : "5.0.0"),
    line("Remote-MTA", host(facts.remoteMta)),
    line("Diagnostic-Code", diagnosticText && `${diagnostic?.type}; ${diagnosticText}`),
    line("Last-Attempt-Date", lastAttemptAt && date(lastAttemptAt)),
    line("Will-Retry-Until", willRetryUntil && date(willRetryUntil)),
  ];
  return `${perMessage.join("")}\r\n${perRecipient.join("")}`;
}

/** True if an address in it is not ASCII. */
export function dsnStyle({ recipient, originalRecipient = "" }: DsnFacts, sender: string): DsnStyle {
  return { isGlobal: ![recipient, originalRecipient, sender].every(isAscii) };
}

function line(name: string, value: string | undefined): string {
  return value === undefined || value === "" ? "" : headerLine(name, value);
}

/** One line that no other field can begin in; in ASCII unless the report is global. */
function fieldText(value: string | undefined, { isGlobal }: DsnStyle): string | undefined {
  const safe = safeText(value);
  const text = isGlobal ? safe : safe?.replace(/[^ -~]/gu, "?");
  if (text === undefined || Buffer.byteLength(text) <= MAX_VALUE_OCTETS) return text;
  return Buffer.from(text)
    .subarray(0, MAX_VALUE_OCTETS)
    .toString()
    .replace(/\ufffd$/, "")
    .trim();
}

function host(name: string | undefined): string | undefined {
  return name !== undefined && HOST.test(name) ? `dns; ${name}` : undefined;
}

function date(at: Date): string {
  return at.toUTCString().replace("GMT", "+0000");
}
