import { newId } from "../../src/shared/ids.ts";
import { createPartitionOf } from "../../src/shared/partition.ts";
import type { MessageDocument } from "../../src/store/documents.ts";

/** Of the stores in tests. */
export const PARTITION_COUNT = 64;
export const partitionOf = createPartitionOf(PARTITION_COUNT);

/** A message as the core stores it, waiting for its first attempt since `at`. */
export function queuedMessage(at: Date, changes: Partial<MessageDocument> = {}): MessageDocument {
  const id = newId("msg", at);
  const { accountId = "acc_test", policy = "default", recipientDomain = "example.net" } = changes;
  return {
    _id: id,
    accountId,
    keyId: "key_test",
    traceId: newId("msg", at).replace("msg", "sx"),
    operation: "email.send",
    state: "queued",
    from: "ada@example.com",
    recipient: `bob@${recipientDomain}`,
    recipientDomain,
    notDelivered: [],
    subject: "Hello",
    policy,
    contentId: id.replace("msg", "cnt"),
    sizeBytes: 1_000,
    headerMessageId: `<${id}@example.com>`,
    tags: [],
    metadata: {},
    partition: partitionOf(accountId, policy, recipientDomain),
    priority: "transactional",
    attempts: 0,
    nextAttemptAt: at,
    createdAt: at,
    updatedAt: at,
    ...changes,
  };
}
