import { domainOf } from "../../message/address/addresses.ts";
import type { Mailbox } from "../../message/content.ts";
import { encodedSizeUpperBoundBytes } from "../../message/mime/encoded-size.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { bucketOfNames, newIdInBucket, newTraceId } from "../../shared/ids.ts";
import type { Logger } from "../../shared/logger.ts";
import { SYSTEM_MAIL } from "../../shared/operations.ts";
import type { PartitionOf } from "../../shared/partition.ts";
import { SYSTEM_ACCOUNT } from "../../shared/system-account.ts";
import type { PolicyDocument } from "../../store/policy-document.ts";
import type { AccountSettings } from "../access/account-settings.ts";
import type { Intake, Submission } from "../send/intake.ts";
import { messageDocument } from "../send/message-document.ts";
import { composeLetter, type Letter } from "./letter.ts";

/** Hermod's own mail. It is stored and queued as any other message, and so survives a crash. */
export interface SystemMail {
  /**
   * Address of the dashboard with a secret after `#`, which browsers do not send to servers and logs do not contain.
   * @param path for example `/invitation`
   * @throws Fault mail.not_configured
   */
  link(path: string, secret: string): string;
  /**
   * Address of a page of the front end.
   * @param path for example `/sender/…`
   * @throws Fault mail.not_configured
   */
  page(path: string): string;
  /** @throws Fault mail.not_configured: call it before a change that needs the mail */
  requireSetUp(): Promise<void>;
  /** @throws Fault mail.not_configured, store.unavailable, store.full */
  send(to: string, letter: Letter): Promise<void>;
  /** Notifies a user of a completed change. If the mail cannot be sent, the error is logged, and the change stays. */
  notify(to: string, letter: Letter): Promise<void>;
}

export interface SystemMailOptions {
  readonly settings: Pick<AccountSettings, "policy">;
  readonly intake: Pick<Intake, "store">;
  readonly partitionOf: PartitionOf;
  /** undefined: Hermod sends no mail of its own. */
  readonly from: Mailbox | undefined;
  /** Address of the dashboard without a trailing slash; undefined: unknown. */
  readonly baseUrl: string | undefined;
  readonly contentRetentionMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Sender and policy of system mail. */
interface Way {
  readonly from: Mailbox;
  readonly policy: PolicyDocument;
}

/**
 * System mail belongs to the system account, which only the operator configures: a reader of its links can take over
 * the recipient's account. Its bodies are stored encrypted.
 */
export function createSystemMail(options: SystemMailOptions): SystemMail {
  const { settings, intake, partitionOf, baseUrl, clock, log } = options;

  /** @throws Fault mail.not_configured */
  async function findWay(): Promise<Way> {
    const { from } = options;
    if (!from) throw notConfigured("mail_from_missing");
    const policy = await settings.policy(SYSTEM_ACCOUNT, undefined);
    if (!policy) throw fault("internal.error", { internal: "the system account has no policy" });
    return { from, policy };
  }

  function submissionOf(to: string, letter: Letter, { from, policy }: Way): Submission {
    const now = clock.now();
    const traceId = newTraceId(now);
    const id = newIdInBucket("msg", now, bucketOfNames(traceId));
    const content = composeLetter(letter, from, { address: to });
    const sizeBytes = encodedSizeUpperBoundBytes(content);
    const message = messageDocument({
      id,
      key: { _id: "", accountId: SYSTEM_ACCOUNT },
      policy,
      traceId,
      operation: SYSTEM_MAIL,
      source: "system",
      from: from.address,
      recipient: to,
      notDelivered: [],
      subject: letter.subject,
      contentId: id.replace("msg", "cnt"),
      sizeBytes,
      headerMessageId: `<${id}@${domainOf(from.address)}>`,
      tags: [],
      metadata: {},
      idempotent: undefined,
      now,
      partitionOf,
    });
    return {
      message,
      content: {
        id: message.contentId,
        accountId: SYSTEM_ACCOUNT,
        body: { kind: "composed", content },
        isSecret: true,
        sizeBytes,
        createdAt: now,
        expireAt: new Date(now.getTime() + options.contentRetentionMs),
      },
    };
  }

  async function send(to: string, letter: Letter): Promise<void> {
    const submission = submissionOf(to, letter, await findWay());
    await intake.store(submission);
    const { _id: messageId, traceId } = submission.message;
    log.info({ messageId, traceId, subject: letter.subject }, "queued system mail");
  }

  return {
    link: (path, secret) => {
      if (baseUrl === undefined) throw notConfigured("base_url_missing");
      return `${baseUrl}${path}#${secret}`;
    },
    page: (path) => {
      if (baseUrl === undefined) throw notConfigured("base_url_missing");
      return `${baseUrl}${path}`;
    },
    requireSetUp: async () => {
      await findWay();
      if (baseUrl === undefined) throw notConfigured("base_url_missing");
    },
    send,
    notify: async (to, letter) => {
      if (!options.from) return;
      try {
        await send(to, letter);
      } catch (error) {
        log.warn({ err: error, subject: letter.subject }, "a notification by mail failed");
      }
    },
  };
}

function notConfigured(reason: "mail_from_missing" | "base_url_missing") {
  return fault("mail.not_configured", { public: say(reason) });
}
