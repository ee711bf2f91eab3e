import { sameAddress } from "../message/address/addresses.ts";
import type { DsnFacts } from "../message/dsn/dsn.ts";
import type { DeliveryReport } from "../message/dsn/report.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import type { MessageDocument } from "../store/message-documents.ts";
import type { Notice } from "./notice-of.ts";
import { wantsNotice } from "./wants-notice.ts";

/**
 * Notice of a non-final report from a later server, for a sender who requested it. The report arrived at the signed return path
 * instead of the sender's address. The notice shows the recipient address that the sender used, because the target of a forward
 * is private.
 */
export function noticeOfReport(
  message: MessageDocument,
  report: DeliveryReport,
  at: Date,
): Notice | undefined {
  const { perRecipient, reportingMta } = report;
  const { recipient, originalRecipient } = message;
  const own = perRecipient.find(({ finalRecipient, originalRecipient = finalRecipient }) =>
    [finalRecipient, originalRecipient].some((address) => sameAddress(address, recipient)),
  );
  const reported = own ?? perRecipient[0];
  if (!reported || reported.action === "failed" || !wantsNotice(message, reported.action)) return undefined;
  const { action, status, diagnosticCode } = reported;
  const host = reported.remoteMta ?? reportingMta;
  const expected = action === "delayed" ? "4." : "2.";
  const facts: DsnFacts = {
    action,
    status: status?.startsWith(expected) ? status : `${expected}0.0`,
    recipient,
    ...withoutUndefined({
      originalRecipient,
      remoteMta: host,
      diagnostic:
        diagnosticCode === undefined ? undefined : { type: "x-hermod" as const, text: diagnosticCode },
    }),
  };
  return { message, facts, at };
}
