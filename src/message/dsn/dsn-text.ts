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
  relayed: "Your message was passed on",
  expanded: "Your message was passed on to a list",
};

const OUTCOMES: Readonly<Record<DeliveryAction, string>> = {
  failed: "could not be delivered.",
  delayed: "has not been delivered yet.",
  delivered: "was delivered.",
  relayed: "was passed on to a server that does not report deliveries.",
  expanded: "was delivered to a list, which has passed it on to its members.",
};

/** What a notice says to people, in lines with LF. */
export function dsnText({ facts, original, reportingMta }: DsnTextInput): string {
  const { action, recipient, diagnostic, remoteMta } = facts;
  const diagnosticText = safeText(diagnostic?.text);
  const speaker = safeText(remoteMta);
  const intro =
    diagnostic?.type === "smtp"
      ? `The server ${speaker === undefined ? "of the recipient" : speaker} said:`
      : "The reason:";
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
      return ["It will not be tried again."];
    case "delayed": {
      const until = willRetryUntil ? ` until ${willRetryUntil.toUTCString()}` : "";
      return [
        wrapped(`Delivery is tried again${until}. There is no need to send the message once more.`).join(
          "\n",
        ),
      ];
    }
    case "relayed":
      return [wrapped("You will hear of it again only if it cannot be delivered after all.").join("\n")];
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

/** Broken before the words that would not fit; a longer word has a line of its own. */
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
