import { PLACEHOLDER } from "./check-links.ts";
import { type Check, checkOf, type Finding } from "./finding.ts";
import type { ScannedHtml } from "./scan-html.ts";

/** What Hermod knows of the domain of the From field. */
export interface SenderDomain {
  readonly name: string;
  /** Undefined: it is no sending domain of the account. */
  readonly standing?:
    | {
        readonly maySend: boolean;
        readonly records: readonly {
          readonly purpose: string;
          readonly outcome: string;
          readonly name: string;
        }[];
      }
    | undefined;
}

interface Delivered {
  /** Undefined: the From field has no domain that can be read. */
  readonly domain: SenderDomain | undefined;
  readonly subject: string;
  /** In lower case. */
  readonly fields: ReadonlySet<string>;
  readonly text: string | null;
  readonly html: ScannedHtml | null;
  readonly filenames: readonly string[];
}

const authentication = { dkim: "DKIM", spf: "SPF", dmarc: "DMARC", return_path: "return path" } as const;
const DANGEROUS =
  /\.(?:ade|adp|apk|bat|cab|chm|cmd|com|cpl|dll|dmg|exe|hta|ins|iso|jar|js|jse|lnk|msc|msi|ps1|scr|vbe|vbs|wsf)$/i;
/** Longer subjects are cut in lists on phones and screens. */
const LONG_SUBJECT = 78;
const FEW_CHARACTERS = 60;

/** Whether providers can authenticate the mail, and what filters hold against it. */
export function checkDelivery(mail: Delivered): Check {
  const findings = [...domainFindings(mail.domain), ...contentFindings(mail), ...subjectFindings(mail)];
  return checkOf("delivery", findings, (severity) =>
    severity === "ok"
      ? "Authentication is in place, and nothing in the mail looks like spam."
      : severity === "problem"
        ? "Providers may refuse this mail or file it as spam."
        : "The mail can be delivered, with some signs that filters hold against it.",
  );
}

function domainFindings(domain: SenderDomain | undefined): Finding[] {
  if (!domain) {
    const message = "The From field has no domain that can be read: providers refuse such mail.";
    return [{ code: "domain.unreadable", severity: "problem", subject: "From", message }];
  }
  const { name: subject, standing } = domain;
  if (!standing) {
    const message =
      "Hermod has no records of this domain: it is no sending domain of the account, and nothing is known of its DKIM, SPF and DMARC. Add it under Domains.";
    return [{ code: "domain.unknown", severity: "warning", subject, message }];
  }
  const findings: Finding[] = [];
  if (!standing.maySend) {
    const message = "The domain is not verified: mail from it is not sent until its records are published.";
    findings.push({ code: "domain.unverified", severity: "problem", subject, message });
  }
  for (const { purpose, outcome, name } of standing.records) {
    const title = authentication[purpose as keyof typeof authentication];
    if (title === undefined || outcome === "right") continue;
    const state =
      outcome === "unknown"
        ? "could not be read"
        : outcome === "missing"
          ? "is missing"
          : "differs from the one to publish";
    const message = `The ${title} record of the domain ${state}: see the page of the domain.`;
    const severity =
      outcome === "unknown" ? "info" : purpose === "dkim" || purpose === "spf" ? "problem" : "warning";
    findings.push({ code: `authentication.${purpose}`, severity, subject: name, message });
  }
  return findings;
}

function contentFindings({ fields, text, html, filenames }: Delivered): Finding[] {
  const findings: Finding[] = [];
  const add = (code: string, severity: Finding["severity"], subject: string, message: string) =>
    findings.push({ code, severity, subject, message });
  if (!fields.has("list-unsubscribe"))
    add(
      "content.no_unsubscribe",
      "info",
      "List-Unsubscribe",
      "Gmail and Yahoo demand one-click unsubscription of newsletters and other bulk mail. Mail that one person asked for needs none.",
    );
  else if (!fields.has("list-unsubscribe-post"))
    add(
      "content.no_one_click",
      "warning",
      "List-Unsubscribe-Post",
      "List-Unsubscribe works by one click only with List-Unsubscribe-Post: Gmail and Yahoo demand it of bulk mail.",
    );
  if (html && (text === null || text.trim() === ""))
    add(
      "content.no_text",
      "warning",
      "text/plain",
      "The mail has HTML and no text part: filters hold that against it. Add a text.",
    );
  if (html && html.images.length > 0 && html.shownLength < FEW_CHARACTERS)
    add(
      "content.only_pictures",
      "warning",
      "text/html",
      "The mail is pictures with hardly any text, as spam is: write its message as text.",
    );
  if (!html && (text === null || text.trim() === ""))
    add("content.empty", "problem", "", "The mail has neither text nor HTML.");
  if (PLACEHOLDER.test((text ?? "").slice(0, 1_000_000)))
    add(
      "content.placeholder",
      "warning",
      "text/plain",
      "The text holds a placeholder of a template that was not filled in.",
    );
  for (const name of filenames.filter((one) => DANGEROUS.test(one)))
    add(
      "content.dangerous_file",
      "problem",
      name,
      "Gmail and Outlook refuse mail with files of this type: link to it instead.",
    );
  return findings;
}

function subjectFindings({ subject, fields }: Delivered): Finding[] {
  const findings: Finding[] = [];
  const add = (code: string, severity: Finding["severity"], message: string) =>
    findings.push({ code, severity, subject, message });
  const letters = subject.replace(/[^\p{L}]/gu, "");
  if (subject.trim() === "") add("subject.empty", "problem", "The subject is empty, as that of much spam.");
  if (PLACEHOLDER.test(subject))
    add(
      "subject.placeholder",
      "problem",
      "The subject holds a placeholder of a template that was not filled in.",
    );
  if (letters.length >= 8 && letters === letters.toUpperCase() && letters !== letters.toLowerCase())
    add("subject.capitals", "warning", "A subject in capitals looks like spam: write it as a sentence.");
  if (/[!?]{2,}|[$€£]{2,}/.test(subject))
    add("subject.marks", "warning", "Repeated marks in the subject look like spam: use one.");
  if (/^\s*(?:re|fwd?|aw|wg)\s*:/i.test(subject) && !fields.has("in-reply-to") && !fields.has("references"))
    add(
      "subject.false_reply",
      "warning",
      "The subject looks like a reply, and the mail answers none: filters know that from spam.",
    );
  if (subject.length > LONG_SUBJECT)
    add(
      "subject.long",
      "info",
      `The subject has ${subject.length} characters: lists show some 40 on phones and 70 on screens.`,
    );
  return findings;
}
