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

/** Effect of a report on its message. */
export type Verdict =
  | { readonly kind: "bounced" | "complained"; readonly reply: Reply }
  | { readonly kind: "ignored"; readonly because: "no_report" | "not_a_failure" | "not_a_complaint" };

/** `not-spam` is the opposite; `other` is for authentication reports, which recipients do not write. */
const COMPLAINTS: readonly FeedbackType[] = ["abuse", "fraud", "virus"];
const MAX_HOST_LENGTH = 255;

/** @param recipient address to which the message was sent */
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
 * The signed return path identifies the message, so that a report about other addresses counts, too: after
 * forwarding, another address failed. Only a report about the recipient can mark the address invalid. Reports of a
 * delay have no state: the other side continues, and reports its final failure.
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
    // Without a reply, only the class of the status is known.
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
