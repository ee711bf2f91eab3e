import { sameAddress } from "../../message/address/addresses.ts";
import type {
  ComplaintReport,
  DeliveryReport,
  FeedbackType,
  RecipientReport,
  Report,
} from "../../message/dsn/report.ts";
import { classifyReply, isAddressInvalid } from "../../message/replies/classify-reply.ts";
import { enhancedStatusCodeOf, type Reply, safeDetail } from "../../message/replies/outcome.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";

/** What a report means for the message that it is about. */
export type Verdict =
  | { readonly kind: "bounced" | "complained"; readonly reply: Reply }
  | { readonly kind: "ignored"; readonly because: "no_report" | "not_a_failure" | "not_a_complaint" };

/** `not-spam` says the contrary; `other` are reports on authentication, which no recipient has written. */
const COMPLAINTS: readonly FeedbackType[] = ["abuse", "fraud", "virus"];
const MAX_HOST_LENGTH = 255;

/** @param recipient the address that the message went to */
export function verdictOf(report: Report, recipient: string): Verdict {
  switch (report.kind) {
    case "dsn":
      return verdictOfDsn(report, recipient);
    case "arf":
      return verdictOfComplaint(report);
    case "other":
      return { kind: "ignored", because: "no_report" };
  }
}

/**
 * The signed return path says which message it is about, so a report that names other addresses counts too: behind a
 * forward it is another one that failed. Only one that names the recipient can make the address invalid. Reports of a
 * delay have no state: the other side goes on by itself, and tells when it has given up.
 */
function verdictOfDsn({ perRecipient, reportingMta }: DeliveryReport, recipient: string): Verdict {
  const own = perRecipient.filter((each) => names(each, recipient));
  const failed = (own.length > 0 ? own : perRecipient).find(({ action }) => action === "failed");
  if (!failed) return { kind: "ignored", because: "not_a_failure" };
  const detail = safeDetail(failed.diagnosticCode ?? failed.status ?? "the report gives no reason");
  const enhancedStatusCode = enhancedStatusCodeOf(detail) ?? failed.status;
  const replyCode = /^#?([45]\d\d)(?![\d.])/.exec(detail)?.[1];
  const host = failed.remoteMta ?? reportingMta;
  const refusal = classifyReply({
    // Without a reply, the class of the status is what is known of it.
    code: replyCode === undefined ? codeOf(enhancedStatusCode) : Number(replyCode),
    enhancedStatusCode,
    text: detail,
    phase: "rcpt",
    provider: host,
  });
  const reply: Reply = {
    via: host === undefined ? "report" : `report ${host.slice(0, MAX_HOST_LENGTH)}`,
    detail,
    category: refusal.category,
    ...withoutUndefined({
      code: replyCode === undefined ? undefined : Number(replyCode),
      enhancedStatusCode,
      addressInvalid: own.length > 0 && isAddressInvalid(refusal) ? (true as const) : undefined,
    }),
  };
  return { kind: "bounced", reply };
}

function names({ finalRecipient, originalRecipient }: RecipientReport, recipient: string): boolean {
  return [finalRecipient, originalRecipient].some(
    (each) => each !== undefined && sameAddress(each, recipient),
  );
}

function codeOf(enhancedStatusCode: string | undefined): number | undefined {
  if (enhancedStatusCode === undefined) return undefined;
  return enhancedStatusCode.startsWith("5") ? 550 : 450;
}

function verdictOfComplaint({ feedbackType, userAgent }: ComplaintReport): Verdict {
  if (!COMPLAINTS.includes(feedbackType)) return { kind: "ignored", because: "not_a_complaint" };
  const by = userAgent === undefined ? "" : `, reported by ${userAgent}`;
  return { kind: "complained", reply: { via: "report", detail: safeDetail(`${feedbackType}${by}`) } };
}
