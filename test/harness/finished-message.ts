import { randomUUID } from "node:crypto";
import type { MessageBody } from "../../src/message/content.ts";
import { bucketOfNames, newIdInBucket } from "../../src/shared/ids.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import type { Identity } from "./identity.ts";
import { queuedMessage } from "./queued-message.ts";

const DAY_MS = 86_400_000;

const composed: MessageBody = {
  kind: "composed",
  content: {
    from: { address: "ada@example.com", displayName: "Ada" },
    to: [{ address: "bob@example.net" }],
    replyTo: [],
    subject: "Hello",
    text: "How are you?",
    headers: [{ name: "X-Order", value: "4711" }],
    attachments: [],
  },
};

/** Lets an account send as `example.com`, by the policy `default`. */
export async function allowSending({ operator }: Identity, accountId: string): Promise<void> {
  await operator.senders.addSender({ accountId, value: "example.com" });
  const transports = [{ kind: { case: "sandbox" as const, value: {} } }];
  await operator.policies.putPolicy({ accountId, policy: { name: "default", transports } });
}

/** Stores a delivered message from `ada@example.com` to `bob@example.net`, with its body. */
export async function finishedMessage(
  { store, time }: Identity,
  accountId: string,
  changes: Partial<MessageDocument> = {},
  body = composed,
): Promise<MessageDocument> {
  const at = time.clock.now();
  const _id = newIdInBucket("msg", at, bucketOfNames(randomUUID()));
  const expireAt = new Date(at.getTime() + DAY_MS);
  const end = { state: "delivered", attempts: 1, expireAt } as const;
  const { nextAttemptAt: _, ...message } = queuedMessage(at, { _id, accountId, ...end, ...changes });
  const sizeBytes = body.kind === "raw" ? body.source.length : message.sizeBytes;
  const content = { id: message.contentId, accountId, body, sizeBytes, createdAt: at, expireAt };
  await store.acrossAccounts.contents.insertMany([content]);
  await store.acrossAccounts.messages.insertMany([{ ...message, sizeBytes }]);
  return message;
}
