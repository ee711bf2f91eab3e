import { bucketOf, bucketOfNames, newIdInBucket, newTraceId } from "../../src/shared/ids.ts";
import { createPartitionOf } from "../../src/shared/partition.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";

/** Number of partitions of test stores. */
export const PARTITION_COUNT = 64;
export const partitionOf = createPartitionOf(PARTITION_COUNT);

/** A message as the core stores it, waiting for its first attempt since `at`. */
export function queuedMessage(at: Date, changes: Partial<MessageDocument> = {}): MessageDocument {
  const traceId = newTraceId(at);
  const { accountId = "acc_test", policy = "default", recipientDomain = "example.net" } = changes;
  const { operation = "email.send", idempotencyKey } = changes;
  const request = idempotencyKey === undefined ? [traceId] : [accountId, operation, idempotencyKey];
  const id = changes._id ?? newIdInBucket("msg", at, bucketOfNames(...request));
  return {
    _id: id,
    bucket: idempotencyKey === undefined ? bucketOf(id) : bucketOfNames(...request),
    accountId,
    keyId: "key_test",
    traceId,
    operation,
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
