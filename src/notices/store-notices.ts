import type { MessageBody } from "../message/content.ts";
import type { Logger } from "../shared/logger.ts";
import type { PartitionOf } from "../shared/partition.ts";
import type { MessageDocument } from "../store/message-documents.ts";
import type { PolicyDocument } from "../store/policy-document.ts";
import type { AcrossAccounts } from "../store/store.ts";
import { isStoreAway } from "../store/store-fault.ts";
import { type NoticeMessage, noticeId, noticeMessage } from "./notice-message.ts";
import type { Notice } from "./notice-of.ts";

export interface StoreNoticesOptions {
  readonly store: Pick<AcrossAccounts, "contents" | "messages">;
  /** Body of the original message. */
  readonly loadBody: (message: MessageDocument) => Promise<MessageBody | undefined>;
  /** An undefined name stands for the default policy of the account. */
  readonly findPolicy: (accountId: string, name: string | undefined) => Promise<PolicyDocument | undefined>;
  /** Domain of `mailer-daemon@`; undefined: the domain of the sender. */
  readonly domain: string | undefined;
  /** Name of this host; undefined if it has no public name. */
  readonly reportingMta: string | undefined;
  readonly partitionOf: PartitionOf;
  readonly contentRetentionMs: number;
  readonly log: Logger;
}

/**
 * Adds notices to the queue, as messages from the null sender. There is one for each message and result, even if it is stored
 * again.
 * @throws Fault store.unavailable; the call can be repeated safely
 */
export type StoreNotices = (notices: readonly Notice[]) => Promise<void>;

/** Each notice can contain half a megabyte, after a message of any size was read for it. */
const MAX_AT_ONCE = 8;

export function createStoreNotices(options: StoreNoticesOptions): StoreNotices {
  const { store, loadBody, findPolicy, domain, reportingMta, partitionOf, contentRetentionMs, log } = options;

  /** A body that cannot be read is not returned to the sender. */
  async function sourceOf(message: MessageDocument): Promise<Buffer | undefined> {
    try {
      const body = await loadBody(message);
      return body?.kind === "raw" ? body.source : undefined;
    } catch (error) {
      if (isStoreAway(error)) throw error;
      log.warn({ err: error, message: message._id }, "the body for a notice cannot be read");
      return undefined;
    }
  }

  /** A failed notice must not prevent the end of the original message. */
  async function composed(notice: Notice): Promise<NoticeMessage | undefined> {
    const { _id: id, accountId, traceId, policy: name } = notice.message;
    try {
      const source = await sourceOf(notice.message);
      const policy = (await findPolicy(accountId, name)) ?? (await findPolicy(accountId, undefined));
      return noticeMessage({ notice, source, policy, domain, reportingMta, partitionOf });
    } catch (error) {
      if (isStoreAway(error)) throw error;
      log.error({ err: error, message: id, traceId }, "no notice can be made for the sender");
      return undefined;
    }
  }

  async function storeSome(notices: readonly Notice[]): Promise<void> {
    const stored = await store.messages.findByIds(notices.map(noticeId));
    const known = new Set(stored.map(({ _id }) => _id));
    const missing = notices.filter((notice) => !known.has(noticeId(notice)));
    const mails = (await Promise.all(missing.map(composed))).filter((each) => each !== undefined);
    if (mails.length === 0) return;
    await store.contents.insertMany(
      mails.map(({ message: { contentId: id, accountId, createdAt, sendAt = createdAt }, source }) => ({
        id,
        accountId,
        body: { kind: "raw" as const, source },
        sizeBytes: source.length,
        createdAt,
        expireAt: new Date(sendAt.getTime() + contentRetentionMs),
      })),
    );
    await store.messages.insertMissing(mails.map(({ message }) => message));
  }

  return async (notices) => {
    for (let from = 0; from < notices.length; from += MAX_AT_ONCE) {
      await storeSome(notices.slice(from, from + MAX_AT_ONCE));
    }
  };
}
