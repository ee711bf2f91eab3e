import { newId } from "../../src/shared/ids.ts";
import { partitionOf } from "../../src/shared/partition.ts";
import type { MessageDocument } from "../../src/store/documents.ts";

/** A message as the core stores it, waiting for its first attempt since `at`. */
export function queuedMessage(at: Date, changes: Partial<MessageDocument> = {}): MessageDocument {
  const id = newId("msg", at);
  const recipientDomain = changes.recipientDomain ?? "example.net";
  return {
    _id: id,
    accountId: "acc_test",
    keyId: "key_test",
    traceId: newId("msg", at).replace("msg", "sx"),
    operation: "email.send",
    state: "queued",
    from: "ada@example.com",
    recipient: `bob@${recipientDomain}`,
    recipientDomain,
    notDelivered: [],
    subject: "Hello",
    policy: "default",
    contentId: id.replace("msg", "cnt"),
    sizeBytes: 1_000,
    headerMessageId: `<${id}@example.com>`,
    tags: [],
    metadata: {},
    partition: partitionOf("default", recipientDomain),
    priority: "transactional",
    attempts: 0,
    nextAttemptAt: at,
    createdAt: at,
    updatedAt: at,
    ...changes,
  };
}
