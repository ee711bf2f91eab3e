import { create } from "@bufbuild/protobuf";
import { faultCodes } from "../../../contracts/common/fault-codes.ts";
import type { IntelReport } from "../../../contracts/common/intel-report-schemas.ts";
import { EmailSchema } from "../../../gen/hermod/email/v1/email_service_pb.ts";
import { reportLetter } from "../../intel/reports/report-letter.ts";
import { addressKey } from "../../message/address/address-key.ts";
import { parseFromMailbox } from "../../message/address/from-field.ts";
import { automaticHeaders } from "../../message/header/automatic-headers.ts";
import { systemAudit } from "../../shared/audit.ts";
import { Fault, fault } from "../../shared/fault.ts";
import { derivedMessageIdAt, newId, newTraceId } from "../../shared/ids.ts";
import { INTEL_RETENTION_MS } from "../../shared/intel-retention.ts";
import { SCHEDULED_REPORT } from "../../shared/operations.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { Keyed } from "../../store/intel-answers.ts";
import type { IntelReportDocument } from "../../store/intel-documents.ts";
import type { SettledReport } from "../../store/schedule-documents.ts";
import type { HeldSchedule } from "../../store/schedule-store.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { createMailOnce } from "../send/mail-once.ts";
import { createPrepareEmail } from "../send/prepare-email.ts";
import { createMakeReport, storedFormat } from "./make-report.ts";
import type { ReportWish } from "./read-report-request.ts";
import { findReportScope } from "./report-inputs.ts";
import { findScheduleClient } from "./schedule-client.ts";

export type SendReportNeeds = Pick<
  Dependencies,
  | "store"
  | "intel"
  | "settings"
  | "verifySender"
  | "limits"
  | "policyBounds"
  | "intake"
  | "partitionOf"
  | "retention"
  | "clock"
  | "log"
>;

/** Result of sending a report. */
export interface SentReport {
  readonly reportId: string;
  readonly messageIds: readonly string[];
  /** Reason why some recipients did not get it; undefined: all got it. */
  readonly failed: Fault | undefined;
}

/**
 * Generates the report of a schedule, and sends it by mail:
 *
 * 1. validates sender, client and recipients
 * 2. generates the report, and stores it under a key derived from schedule and period
 * 3. stores the report and its recipients in the schedule
 * 4. stores a message per recipient, with an id derived from schedule, period and address
 *
 * Any process can repeat each step: results of an earlier attempt are found, and nothing is generated or sent twice.
 * @returns undefined: a later attempt has started
 */
export function createSendScheduledReport(needs: SendReportNeeds) {
  const { store, settings, verifySender, limits, policyBounds, intake, partitionOf, retention, clock } =
    needs;
  const { schedules } = store.acrossAccounts;
  const makeReport = createMakeReport(needs);
  const mailOnce = createMailOnce({
    prepareEmail: createPrepareEmail({ settings, verifySender, limits, policyBounds }),
    operation: SCHEDULED_REPORT,
    source: "report",
    intake,
    partitionOf,
    contentRetentionMs: retention.contentMs,
    clock,
  });

  /** @throws Fault of a removed sender, client or domain, schedule.no_recipients, report.*, … */
  async function settle(held: HeldSchedule, account: AccountStore): Promise<SettledReport> {
    const sender = parseFromMailbox(held.from);
    await verifySender(sender.ok ? sender.mailbox.address : held.from, {
      accountId: account.id,
      senders: [],
    });
    const client = await findScheduleClient(account, held);
    const recipients = held.recipients.length > 0 ? held.recipients : eachOnce(client?.contactEmails ?? []);
    if (recipients.length === 0) throw fault("schedule.no_recipients");
    return { recipients, ...(await makeOnce(held, account)) };
  }

  /** A report that was already generated keeps its format, even if the schedule has another one now. */
  async function makeOnce(
    held: HeldSchedule,
    account: AccountStore,
  ): Promise<Pick<SettledReport, "reportId" | "form">> {
    const now = clock.now();
    const { _id, workspaceId, work } = held;
    const key = `${_id} ${work.key}`;
    const expireAt = new Date(now.getTime() + INTEL_RETENTION_MS);
    const keyed: Keyed<IntelReportDocument> = {
      workspaceId,
      operation: "schedule",
      key,
      fingerprint: key,
      now,
      expireAt,
      answerOf: (report) => Buffer.from(`${report._id} ${storedFormat(held)}`),
    };
    const readAnswer = (answer: Uint8Array) => {
      const [reportId = "", form = ""] = Buffer.from(answer).toString().split(" ");
      return { reportId, form };
    };
    const earlier = await account.reports.findAnswer(keyed);
    if (earlier) return readAnswer(earlier);
    const workspace = await account.workspaces.find(workspaceId);
    if (!workspace) throw fault("workspace.unknown");
    const wish = wishOf(held);
    const scope = await findReportScope(account, workspace, wish);
    const report: IntelReportDocument = {
      _id: newId("rpt", now),
      accountId: account.id,
      workspaceId,
      scope: { type: wish.scope.type, id: scope.id, name: scope.name },
      period: wish.period,
      generatedAt: now,
      expireAt,
    };
    const files = await makeReport.all(account, { id: report._id, wish, scope, generatedAt: now });
    const audit = systemAudit("report.generate", newTraceId(now), now);
    const stored = await account.reports.add(report, files, audit, keyed);
    return readAnswer(stored?.answer ?? keyed.answerOf(report));
  }

  return async (held: HeldSchedule): Promise<SentReport | undefined> => {
    const account = store.forAccount(held.accountId);
    let { settled } = held.work;
    if (!settled) {
      settled = await settle(held, account);
      if (!(await schedules.settle(held, settled))) return undefined;
    }
    const { reportId, form, recipients } = settled;
    const [json, document] = await Promise.all(
      ["json", form].map((format) => account.reports.read(reportId, format)),
    );
    // A member has removed it since.
    if (!json || !document) throw fault("report.unknown");
    const report = JSON.parse(Buffer.from(json).toString()) as IntelReport;
    const { subject, text, html, fileName } = reportLetter(report, {
      name: held.name,
      format: form === "html" ? "html" : "pdf",
    });
    const messageIds: string[] = [];
    let failed: Fault | undefined;
    for (const recipient of recipients) {
      const email = create(EmailSchema, {
        to: [recipient],
        subject,
        text,
        html,
        tags: ["report"],
        from: held.from,
        ...withoutUndefined({ routingPolicy: held.policy }),
        attachments: [{ filename: fileName, content: document }],
        metadata: { schedule_id: held._id, report_id: reportId },
      });
      const messageId = messageIdOf(held, recipient);
      try {
        const mail = { messageId, at: held.work.since, email, templateData: undefined };
        await mailOnce(held.accountId, { ...mail, headers: automaticHeaders });
        messageIds.push(messageId);
      } catch (thrown) {
        const refused = Fault.from(thrown);
        // A temporary error affects all recipients. A permanent error of one recipient must not delay the others.
        if (!isFinal(refused)) return { reportId, messageIds, failed: refused };
        failed ??= refused;
      }
    }
    return { reportId, messageIds, failed };
  };
}

/** Whether a retry would have the same result, unless a user changes something. */
export function isFinal({ code }: Fault): boolean {
  const { http } = faultCodes[code];
  return http < 500 && http !== 429;
}

function messageIdOf({ _id, work }: HeldSchedule, recipient: string): string {
  return derivedMessageIdAt(work.since, _id, `report ${work.key} ${addressKey(recipient)}`);
}

function wishOf({ scope, work: { period }, format, paper, sections, ...rest }: HeldSchedule): ReportWish {
  const { locale, timezone, branding } = rest;
  const { from, to } = period;
  return {
    scope,
    period: { from, to },
    isOpenEnded: false,
    format,
    paper,
    sections,
    locale,
    timezone,
    branding,
  };
}

function eachOnce(addresses: readonly string[]): string[] {
  return [...new Map(addresses.map((address) => [addressKey(address), address])).values()];
}
