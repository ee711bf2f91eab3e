import { sameAddress } from "../message/address/addresses.ts";
import type { DsnFacts } from "../message/dsn/dsn.ts";
import type { DeliveryReport } from "../message/dsn/report.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import type { MessageDocument } from "../store/message-documents.ts";
import type { Notice } from "./notice-of.ts";
import { wantsNotice } from "./wants-notice.ts";

/**
 * Composes the notice of a delay or success that a later server reports, if the sender requested it. The report came to the
 * signed return path. The notice names only the address that the sender gave, because the target of a forward is private.
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
