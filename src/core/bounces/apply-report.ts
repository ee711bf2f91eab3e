import type { ReportBounceResponse } from "../../../gen/hermod/bounce/v1/bounce_service_pb.ts";
import { messageEvent } from "../../events/message-event.ts";
import { addressKey } from "../../message/address/address-key.ts";
import type { Report } from "../../message/dsn/report.ts";
import type { Reply } from "../../message/replies/outcome.ts";
import { hardBounce } from "../../notices/hard-bounce.ts";
import { noticeOf } from "../../notices/notice-of.ts";
import { noticeOfReport } from "../../notices/notice-of-report.ts";
import type { StoreNotices } from "../../notices/store-notices.ts";
import type { Audit } from "../../shared/audit.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import { waitingStates } from "../../shared/message-state.ts";
import { FORWARD } from "../../shared/operations.ts";
import type { NewSuppression } from "../../store/merge-suppression.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { OfAccount } from "../../store/owner.ts";
import type { Store } from "../../store/store.ts";
import { verdictOf } from "./report-verdict.ts";

export interface ApplyReportOptions {
  readonly store: Pick<Store, "forAccount">;
  readonly storeNotices: StoreNotices;
  /** Time for which an invalid address stays suppressed; undefined: forever. */
  readonly suppressionMs: number | undefined;
  readonly retentionMs: number;
  readonly clock: Clock;
}

/** Result of a report. */
export type ReportOutcome = Pick<ReportBounceResponse, "outcome"> &
  Partial<Pick<ReportBounceResponse, "messageId" | "ignoredBecause">>;

/**
 * Stores the effects of a report on a message: suppression, event, notice and state, in this order, so that a
 * repeated report changes nothing.
 * @throws Fault message.in_delivery: send the report again later
 */
export type ApplyReport = (message: MessageDocument, report: Report, audit: Audit) => Promise<ReportOutcome>;

export function createApplyReport({
  store,
  storeNotices,
  suppressionMs,
  retentionMs,
  clock,
}: ApplyReportOptions): ApplyReport {
  function complaint(message: MessageDocument, detail: string): OfAccount<NewSuppression> {
    const { recipient, _id: messageId } = message;
    const address = { addressKey: addressKey(recipient), address: recipient };
    return { ...address, reason: "complaint", messageId, detail, createdAt: clock.now() };
  }

  async function suppress(
    message: MessageDocument,
    { kind, reply }: { readonly kind: string; readonly reply: Reply },
    audit: Audit,
  ): Promise<void> {
    if (message.operation === FORWARD) return;
    const { suppressions } = store.forAccount(message.accountId);
    if (kind === "complained") await suppressions.add(complaint(message, reply.detail), audit);
    if (!reply.addressInvalid) return;
    const { detail } = reply;
    await suppressions.add(hardBounce({ message, detail, at: clock.now(), suppressionMs }), audit);
  }

  /** Notifies the sender who requested reports, because this one arrived at Hermod instead. */
  async function notifySender(message: MessageDocument, report: Report): Promise<boolean> {
    if (report.kind !== "dsn" || message.state === "captured") return false;
    const notice = noticeOfReport(message, report, clock.now());
    if (notice) await storeNotices([notice]);
    return notice !== undefined;
  }

  return async (message, report, audit) => {
    const verdict = verdictOf(report, message.recipient);
    const about = { messageId: message._id };
    if (verdict.kind === "ignored") {
      if (await notifySender(message, report)) return { ...about, outcome: "forwarded" };
      return { ...about, outcome: "ignored", ignoredBecause: verdict.because };
    }
    const { kind, reply } = verdict;
    // A repeated report: an address that was removed from the list since stays removed.
    if (message.state === kind) return { ...about, outcome: kind };
    const elsewhere = { ...about, outcome: "ignored", ignoredBecause: "message_state" };
    // The message has never left this machine, so no one can have received it.
    if (message.state === "captured") return elsewhere;
    await suppress(message, { kind, reply }, audit);
    // The worker owns the message: the end of an attempt is not stored yet, or the other side received a copy without
    // our knowledge. The effect on the address applies now; the rest waits for the end of the message.
    if (waitingStates.some((state) => state === message.state)) throw fault("message.in_delivery");
    if (message.state !== "delivered") return elsewhere;
    const at = clock.now();
    const expireAt = new Date(at.getTime() + retentionMs);
    const attempt = message.attempts;
    const account = store.forAccount(message.accountId);
    const { category } = reply;
    await account.search.add([{ ...message, state: kind, ...(category !== undefined && { category }) }]);
    await account.events.insertMissing([messageEvent(message, { kind, attempt, at, expireAt, reply })]);
    const notice = noticeOf({ message, to: kind, reply, at });
    if (notice) await storeNotices([notice]);
    await account.messages.applyLateOutcome(message, kind, { at, expireAt, category });
    return { ...about, outcome: kind };
  };
}
