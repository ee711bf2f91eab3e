import type { DsnFacts, DsnOriginal } from "./dsn.ts";
import type { DeliveryAction } from "./report.ts";
import { safeText } from "./safe-text.ts";

export interface DsnTextInput {
  readonly facts: DsnFacts;
  readonly original: Pick<DsnOriginal, "arrivedAt" | "subject">;
  readonly reportingMta: string;
}

const LINE_LENGTH = 72;
const INDENT = "    ";

export const DSN_SUBJECTS: Readonly<Record<DeliveryAction, string>> = {
  failed: "Your message could not be delivered",
  delayed: "Your message is delayed",
  delivered: "Your message was delivered",
  relayed: "Your message was relayed",
  expanded: "Your message was sent to a mailing list",
};

const OUTCOMES: Readonly<Record<DeliveryAction, string>> = {
  failed: "could not be delivered.",
  delayed: "has not been delivered yet.",
  delivered: "was delivered.",
  relayed: "was relayed to a server that does not report deliveries.",
  expanded: "was delivered to a mailing list, which forwarded it to its members.",
};

/** Text of a notice for people, in lines with LF. */
export function dsnText({ facts, original, reportingMta }: DsnTextInput): string {
  const { action, recipient, diagnostic, remoteMta } = facts;
  const diagnosticText = safeText(diagnostic?.text);
  const speaker = safeText(remoteMta);
  const intro =
    diagnostic?.type === "smtp"
      ? `The server ${speaker === undefined ? "of the recipient" : speaker} replied:`
      : "Reason:";
  return `${[
    `This is the mail delivery system at ${safeText(reportingMta) ?? "this host"}.`,
    "Your message to",
    indented(recipient),
    OUTCOMES[action],
    ...(diagnosticText === undefined ? [] : [intro, indented(diagnosticText)]),
    ...whatFollows(facts),
    details(original),
  ].join("\n\n")}\n`;
}

function whatFollows({ action, willRetryUntil }: DsnFacts): string[] {
  switch (action) {
    case "failed":
      return ["Delivery will not be retried."];
    case "delayed": {
      const until = willRetryUntil ? ` until ${willRetryUntil.toUTCString()}` : "";
      return [
        wrapped(`Delivery will be retried${until}. You do not need to send the message again.`).join("\n"),
      ];
    }
    case "relayed":
      return [wrapped("You will receive another notice only if the message cannot be delivered.").join("\n")];
    case "delivered":
    case "expanded":
      return [];
  }
}

function details({ subject, arrivedAt }: DsnTextInput["original"]): string {
  const lines = wrapped(safeText(subject) ?? "(none)", LINE_LENGTH - 9);
  return `Accepted: ${arrivedAt.toUTCString()}\nSubject:  ${lines.join(`\n${" ".repeat(10)}`)}`;
}

function indented(text: string): string {
  const lines = wrapped(safeText(text) ?? "", LINE_LENGTH - INDENT.length);
  return lines.map((line) => INDENT + line).join("\n");
}

/** Wraps before words that would not fit; a longer word has its own line. */
function wrapped(text: string, length = LINE_LENGTH): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of text.split(" ")) {
    if (current !== "" && current.length + 1 + word.length > length) {
      lines.push(current);
      current = word;
    } else {
      current = current === "" ? word : `${current} ${word}`;
    }
  }
  return [...lines, current];
}
