import { PLACEHOLDER } from "./check-links.ts";
import { type Check, checkOf, type Finding } from "./finding.ts";
import type { ScannedHtml } from "./scan-html.ts";

/** Records of Hermod about the domain of the From field. */
export interface SenderDomain {
  readonly name: string;
  /** undefined: it is not a sending domain of the account. */
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
  /** undefined: the From field has no readable domain. */
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

/** Checks whether providers can authenticate the mail, and signs of spam. */
export function checkDelivery(mail: Delivered): Check {
  const findings = [...domainFindings(mail.domain), ...contentFindings(mail), ...subjectFindings(mail)];
  return checkOf("delivery", findings, (severity) =>
    severity === "ok"
      ? "Authentication is in place, and the mail has no signs of spam."
      : severity === "problem"
        ? "Providers may refuse this mail or classify it as spam."
        : "The mail can be delivered, with some signs that spam filters count.",
  );
}

function domainFindings(domain: SenderDomain | undefined): Finding[] {
  if (!domain) {
    const message = "The From field has no readable domain: providers refuse such mail.";
    return [{ code: "domain.unreadable", severity: "problem", subject: "From", message }];
  }
  const { name: subject, standing } = domain;
  if (!standing) {
    const message =
      "The domain is not a sending domain of the account, so Hermod has no records of its DKIM, SPF and DMARC. Add it under Domains.";
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
      "Gmail and Yahoo require one-click unsubscription of newsletters and other bulk mail. Mail that one person requested needs none.",
    );
  else if (!fields.has("list-unsubscribe-post"))
    add(
      "content.no_one_click",
      "warning",
      "List-Unsubscribe-Post",
      "List-Unsubscribe works with one click only together with List-Unsubscribe-Post, which Gmail and Yahoo require of bulk mail.",
    );
  if (html && (text === null || text.trim() === ""))
    add(
      "content.no_text",
      "warning",
      "text/plain",
      "The mail has HTML and no text part, which spam filters count. Add a text.",
    );
  if (html && html.images.length > 0 && html.shownLength < FEW_CHARACTERS)
    add(
      "content.only_pictures",
      "warning",
      "text/html",
      "The mail consists of pictures with hardly any text, like spam: write its message as text.",
    );
  if (!html && (text === null || text.trim() === ""))
    add("content.empty", "problem", "", "The mail has neither text nor HTML.");
  if (PLACEHOLDER.test((text ?? "").slice(0, 1_000_000)))
    add(
      "content.placeholder",
      "warning",
      "text/plain",
      "The text contains an unfilled placeholder of a template.",
    );
  for (const name of filenames.filter((one) => DANGEROUS.test(one)))
    add(
      "content.dangerous_file",
      "problem",
      name,
      "Gmail and Outlook refuse mail with files of this type: link to the file instead.",
    );
  return findings;
}

function subjectFindings({ subject, fields }: Delivered): Finding[] {
  const findings: Finding[] = [];
  const add = (code: string, severity: Finding["severity"], message: string) =>
    findings.push({ code, severity, subject, message });
  const letters = subject.replace(/[^\p{L}]/gu, "");
  if (subject.trim() === "") add("subject.empty", "problem", "The subject is empty, like that of much spam.");
  if (PLACEHOLDER.test(subject))
    add("subject.placeholder", "problem", "The subject contains an unfilled placeholder of a template.");
  if (letters.length >= 8 && letters === letters.toUpperCase() && letters !== letters.toLowerCase())
    add("subject.capitals", "warning", "A subject in capitals looks like spam: write it as a sentence.");
  if (/[!?]{2,}|[$€£]{2,}/.test(subject))
    add("subject.marks", "warning", "Repeated punctuation marks in the subject resemble spam: use one.");
  if (/^\s*(?:re|fwd?|aw|wg)\s*:/i.test(subject) && !fields.has("in-reply-to") && !fields.has("references"))
    add(
      "subject.false_reply",
      "warning",
      "The subject marks the mail as a reply, but it is not one: filters count this as spam.",
    );
  if (subject.length > LONG_SUBJECT)
    add(
      "subject.long",
      "info",
      `The subject has ${subject.length} characters: lists show about 40 on phones and 70 on screens.`,
    );
  return findings;
}
