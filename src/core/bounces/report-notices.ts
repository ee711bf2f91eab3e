// A provider's notice becomes the report that would have come to the return path. The signed address identifies the
// message, so there is no table of provider ids.

import { createHash } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type {
  ProviderNotice,
  ReportNoticesRequest,
  ReportNoticesResponseSchema,
} from "../../../gen/hermod/bounce/v1/bounce_service_pb.ts";
import { sameAddress } from "../../message/address/addresses.ts";
import type { Report } from "../../message/dsn/report.ts";
import type { ReturnPaths } from "../../message/dsn/return-path.ts";
import { safeDetail } from "../../message/replies/outcome.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { type Audit, SYSTEM } from "../../shared/audit.ts";
import type { Clock } from "../../shared/clock.ts";
import { Fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { Logger } from "../../shared/logger.ts";
import { isRelayProvider } from "../../shared/relay-providers.ts";
import { eventId } from "../../store/event-id.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { Store } from "../../store/store.ts";
import { createFieldFaults } from "../field-faults.ts";
import type { createLeavePolicy } from "../leave-policy.ts";
import { type createHitRecorder, hitName, type KnownHit } from "../tracking/hit-recorder.ts";
import type { ApplyReport } from "./apply-report.ts";

type Outcome = NonNullable<MessageInitShape<typeof ReportNoticesResponseSchema>["outcomes"]>[number];

export interface ReportNoticesOptions {
  readonly store: Pick<Store, "forAccount" | "acrossAccounts">;
  /** undefined: there is no domain of return paths, so that notices do not identify a message. */
  readonly returnPaths: ReturnPaths | undefined;
  readonly bounceDomain: string | undefined;
  readonly applyReport: ApplyReport;
  readonly leavePolicy: ReturnType<typeof createLeavePolicy>;
  readonly recordHits: ReturnType<typeof createHitRecorder>;
  readonly clock: Pick<Clock, "now">;
  readonly log: Logger;
  /** Called for every notice. */
  readonly onReport: (kind: "notice", outcome: string) => void;
}

const MAX_NOTICES = 200;
const MAX_HIT_ID_LENGTH = 40;

/**
 * Stores the effects of a provider's notices one after the other, so that the notices about one message are applied
 * in their order. The signed return path identifies the message.
 * @throws Fault request.validation_failed; store.unavailable: the call can be repeated safely
 */
export function createReportNotices(options: ReportNoticesOptions) {
  const { store, returnPaths, bounceDomain, clock, log, onReport } = options;

  async function messageOf({ returnPath }: ProviderNotice): Promise<MessageDocument | null> {
    const address = returnPath.includes("@") ? returnPath : `${returnPath}@${bounceDomain}`;
    const id = returnPaths?.decode(address);
    return id === undefined ? null : store.acrossAccounts.messages.findById(id);
  }

  /** Stored once, because the provider repeats notices that it considers unacknowledged. */
  async function recordHit(message: MessageDocument, notice: ProviderNotice): Promise<Outcome> {
    const known = hitOf(message, notice, clock.now());
    const { events } = store.forAccount(message.accountId);
    const name = eventId(message._id, 0, hitName(known));
    const timeline = await events.listOf(message);
    if (timeline.some(({ _id }) => _id === name))
      return { outcome: "ignored", ignoredBecause: "told_before" };
    const recorded = await options.recordHits(message, [known]);
    await events.insertMissing(recorded.events);
    return { outcome: notice.kind };
  }

  async function follow(message: MessageDocument, notice: ProviderNotice, provider: string, audit: Audit) {
    const { accountId, policy, recipient, _id: messageId } = message;
    switch (notice.kind) {
      case "bounced":
      case "complained":
        return options.applyReport(message, reportOf(notice, provider), audit);
      case "unsubscribed":
        await options.leavePolicy({ accountId, policy, recipient, messageId }, audit);
        return { outcome: "unsubscribed" };
      case "opened":
      case "clicked":
        return recordHit(message, notice);
      default:
        return { outcome: "ignored", ignoredBecause: "no_consequence" };
    }
  }

  async function take(notice: ProviderNotice, provider: string, audit: Audit): Promise<Outcome> {
    const message = await messageOf(notice);
    if (!message) return { outcome: "ignored", ignoredBecause: "unknown_message" };
    const about = { messageId: message._id };
    if (notice.recipient !== "" && !sameAddress(notice.recipient, message.recipient))
      return { ...about, outcome: "ignored", ignoredBecause: "other_recipient" };
    try {
      return { ...about, ...(await follow(message, notice, provider, audit)) };
    } catch (thrown) {
      if (thrown instanceof Fault && thrown.code === "message.in_delivery")
        return { ...about, outcome: "later" };
      throw thrown;
    }
  }

  return async (
    { provider, notices }: ReportNoticesRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof ReportNoticesResponseSchema>> => {
    check(provider, notices);
    const outcomes: Outcome[] = [];
    for (const notice of notices) {
      const outcome = await take(notice, provider, { ...audit, actor: SYSTEM });
      log.info({ provider, notice: safeDetail(notice.kind), ...outcome }, "received a notice of a provider");
      onReport("notice", outcome.outcome ?? "");
      outcomes.push(outcome);
    }
    return { outcomes };
  };
}

/** @throws Fault request.validation_failed */
function check(provider: string, notices: readonly ProviderNotice[]): void {
  const faults = createFieldFaults();
  if (!isRelayProvider(provider)) faults.add("/provider", "field.invalid", say("no_provider"));
  if (notices.length > MAX_NOTICES)
    faults.add("/notices", "field.too_many", say("most_notices_once", { max: MAX_NOTICES }));
  if (faults.found.length > 0) throw validationFault(faults.found);
}

const NAMES: Readonly<Record<string, string>> = {
  ses: "Amazon SES",
  postmark: "Postmark",
  mailgun: "Mailgun",
  sendgrid: "SendGrid",
};

/** Report with the content that a mail from the provider would have. */
function reportOf({ kind, recipient, status, detail }: ProviderNotice, provider: string): Report {
  const name = NAMES[provider] ?? provider;
  if (kind === "complained") {
    const originalRecipients = recipient === "" ? [] : [recipient];
    return { kind: "arf", feedbackType: "abuse", userAgent: name, originalRecipients };
  }
  const words = safeDetail(detail);
  const failed = {
    finalRecipient: recipient,
    action: "failed" as const,
    ...(status !== "" && { status }),
    ...(words !== "" && { diagnosticCode: words }),
  };
  return { kind: "dsn", perRecipient: [failed], reportingMta: name };
}

function hitOf({ _id: messageId }: MessageDocument, notice: ProviderNotice, now: Date): KnownHit {
  const { id, at, url, userAgent, clientAddress, kind } = notice;
  const digest = createHash("sha256").update(id).digest("base64url").slice(0, MAX_HIT_ID_LENGTH);
  return {
    hit: { id: digest, userAgent, clientAddress, prefetch: false },
    at: at ? timestampDate(at) : now,
    of: kind === "clicked" ? { kind, messageId, target: url } : { kind: "opened", messageId },
  };
}
