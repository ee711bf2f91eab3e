import { createDeliver, type DeliverOptions } from "../../src/delivery/deliver.ts";
import { createCheckSuppression } from "../../src/delivery/queue/check-suppression.ts";
import { createLoadBody } from "../../src/delivery/queue/load-body.ts";
import { createRecordResults, type FencedResult } from "../../src/delivery/queue/record-results.ts";
import { createSmtpTransport } from "../../src/delivery/transports/smtp.ts";
import { parseReport } from "../../src/message/dsn/parse-report.ts";
import type { DeliveryReport } from "../../src/message/dsn/report.ts";
import { createStoreNotices } from "../../src/notices/store-notices.ts";
import type { Clock } from "../../src/shared/clock.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { smtpTimeouts } from "../../src/smtp-client/smtp-timeouts.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import type { PolicyDocument } from "../../src/store/policy-document.ts";
import type { Store } from "../../src/store/store.ts";
import { partitionOf, queuedMessage } from "./queued-message.ts";

export interface Told {
  readonly message: MessageDocument;
  readonly source: string;
  readonly report: DeliveryReport;
}

export interface DsnSetupOptions {
  readonly store: Store;
  /** Port of the relay for all messages. */
  readonly port: number;
  readonly policy?: Partial<PolicyDocument>;
  readonly deliver?: Partial<DeliverOptions>;
}

const HOUR_MS = 3_600_000;

export const submittedSource = Buffer.from(
  "From: Ada <ada@example.com>\r\nTo: bob@example.net\r\nSubject: Plans\r\nMessage-ID: <plans@example.com>\r\n\r\nDear Bob,\r\n",
);

/** Processes messages from SMTP as the worker does, without its queue: one attempt at a time. */
export function dsnSetup({ store, port, policy = {}, ...options }: DsnSetupOptions) {
  let nowMs = Date.now();
  const clock: Clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs };
  const loadBody = createLoadBody({ contents: store.acrossAccounts.contents });
  const transport = createSmtpTransport({
    settings: { kind: "smtp", servers: [{ host: "127.0.0.1", port }], tls: "none", maxConnections: 1 },
    heloName: "mail.example.com",
    timeouts: smtpTimeouts(3_000),
    clock,
  });
  const findPolicy = async (accountId: string, name = "default"): Promise<PolicyDocument | undefined> =>
    name === "gone"
      ? undefined
      : {
          _id: `${accountId}.${name}`,
          accountId,
          name,
          default: true,
          transports: [{ kind: "sandbox" }],
          updatedAt: clock.now(),
          ...policy,
        };
  const deliver = createDeliver({
    checkSuppression: createCheckSuppression({ suppressions: store.acrossAccounts.suppressions, clock }),
    suppressionMs: undefined,
    loadBody,
    findPolicy,
    findSigners: async () => [],
    returnPathOf: ({ from, envelopeFrom = from }) => envelopeFrom,
    transportFor: () => transport,
    unsubscribeUrl: undefined,
    trackHtml: undefined,
    clock,
    maxAgeMs: 48 * HOUR_MS,
    maxHops: 100,
    retentionMs: HOUR_MS,
    ...options.deliver,
  });
  const storeNotices = createStoreNotices({
    store: store.acrossAccounts,
    loadBody,
    findPolicy,
    domain: undefined,
    reportingMta: "mail.example.com",
    partitionOf,
    contentRetentionMs: HOUR_MS,
    log: createLogger("silent"),
  });
  const results = createRecordResults({ store, storeNotices });

  /** Returns the notifications to the sender of a message, with their messages. */
  async function told({ _id: id, accountId }: MessageDocument): Promise<Told[]> {
    const all = await store.forAccount(accountId).messages.list({ limit: 1_000 });
    const messages = all.messages.filter(({ noticeOf }) => noticeOf === id);
    const bodies = await store.acrossAccounts.contents.loadMany(messages.map(({ contentId }) => contentId));
    return messages.map((message) => {
      const body = bodies.get(message.contentId);
      if (body?.kind !== "raw") throw new Error("a notice without a body");
      const report = parseReport(body.source);
      if (report.kind !== "dsn") throw new Error("no report");
      return { message, source: body.source.toString(), report };
    });
  }

  return {
    deliver,
    storeNotices,
    results,
    told,
    close: transport.close,
    wait: (ms: number) => {
      nowMs += ms;
    },
    /** Stores a message as received over SMTP. */
    submit: async (
      changes: Partial<MessageDocument> = {},
      source = submittedSource,
    ): Promise<MessageDocument> => {
      const message = queuedMessage(clock.now(), {
        operation: "smtp.submit",
        envelopeFrom: "ada+replies@example.com",
        subject: "Plans",
        headerMessageId: "<plans@example.com>",
        ...changes,
      });
      const { contentId: id, accountId, createdAt } = message;
      const body = { kind: "raw" as const, source };
      const expireAt = new Date(nowMs + HOUR_MS);
      await store.acrossAccounts.contents.insertMany([
        { id, accountId, body, sizeBytes: source.length, createdAt, expireAt },
      ]);
      await store.acrossAccounts.messages.insertMany([message]);
      return message;
    },
    /** Makes one attempt and records it; returns the message afterwards. */
    attempt: async ({ _id: id }: MessageDocument): Promise<MessageDocument> => {
      const before = await store.acrossAccounts.messages.findById(id);
      if (!before) throw new Error("no message");
      const result = await deliver(before);
      const fenced: FencedResult = { ...result, transition: { ...result.transition, epoch: 1 } };
      await results.record(fenced);
      const after = await store.acrossAccounts.messages.findById(id);
      if (!after) throw new Error("no message");
      return after;
    },
  };
}
