import type { ReportBounceResponse } from "../../../gen/hermod/bounce/v1/bounce_service_pb.ts";
import { messageEvent } from "../../events/message-event.ts";
import { addressKey } from "../../message/address/addresses.ts";
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
import type { Store } from "../../store/store.ts";
import type { OfAccount } from "../../store/whose.ts";
import { verdictOf } from "./report-verdict.ts";

export interface ApplyReportOptions {
  readonly store: Pick<Store, "forAccount">;
  readonly storeNotices: StoreNotices;
  /** For how long an address that is not valid receives nothing; undefined: for ever. */
  readonly suppressionMs: number | undefined;
  readonly retentionMs: number;
  readonly clock: Clock;
}

/** What became of a report. */
export type ReportOutcome = Pick<ReportBounceResponse, "outcome"> &
  Partial<Pick<ReportBounceResponse, "messageId" | "ignoredBecause">>;

/**
 * Writes what follows from a report on a message: suppression, event, notice, state, in this order, so that a report which is
 * repeated after a crash, or for any other reason, changes nothing.
 * @throws Fault message.in_delivery: it must come again later
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

  /** A notice of what he asked for: the report came here in his stead. */
  async function tellSender(message: MessageDocument, report: Report): Promise<boolean> {
    if (report.kind !== "dsn" || message.state === "captured") return false;
    const notice = noticeOfReport(message, report, clock.now());
    if (notice) await storeNotices([notice]);
    return notice !== undefined;
  }

  return async (message, report, audit) => {
    const verdict = verdictOf(report, message.recipient);
    const about = { messageId: message._id };
    if (verdict.kind === "ignored") {
      if (await tellSender(message, report)) return { ...about, outcome: "forwarded" };
      return { ...about, outcome: "ignored", ignoredBecause: verdict.because };
    }
    const { kind, reply } = verdict;
    // Told before: an address that somebody has taken off the list since stays off it.
    if (message.state === kind) return { ...about, outcome: kind };
    const elsewhere = { ...about, outcome: "ignored", ignoredBecause: "message_state" };
    // It has never left this machine, so nobody can know anything of its recipient.
    if (message.state === "captured") return elsewhere;
    await suppress(message, { kind, reply }, audit);
    // The worker owns it: either the end of an attempt is not written yet, or the other side took a copy that we were
    // not told of. What the address is worth counts from now on; the rest waits for how the message ends.
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
