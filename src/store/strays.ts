// The queue's index contains a message by its state or its due time: an index by one of them would lose a message with
// that field damaged. Damaged messages are quarantined, because a field's former value is unknown.

import type { Collection, Filter } from "mongodb";
import { waitingStates } from "../shared/message-state.ts";
import type { MessageDocument } from "./message-documents.ts";
import { messageFault } from "./message-fault.ts";
import { priorities } from "./policy-document.ts";
import { readEach, type UnreadableDocument } from "./read-each.ts";

export interface StrayQuery {
  /** Partitions of the caller. */
  readonly partitions: readonly number[];
  /** Number of partitions of the installation. */
  readonly partitionCount: number;
  /** No message may be due later, except because of its own `sendAt`. */
  readonly latest: Date;
  readonly limit: number;
}

/** Waiting messages that no query for due messages finds because a field of the queue index is damaged. */
export function createStrays(messages: Collection<MessageDocument>) {
  async function find(
    condition: object,
    faultOf: (message: MessageDocument) => string,
    limit: number,
  ): Promise<UnreadableDocument[]> {
    const filter = condition as Filter<MessageDocument>;
    const { unreadable } = await readEach<MessageDocument>(
      (options) => messages.find(filter, options).limit(limit),
      (message) => messageFault(message) ?? faultOf(message),
    );
    return unreadable;
  }

  return {
    /** Each query is a few ranges of the queue index, which are empty unless data is damaged. */
    async findStrays({
      partitions,
      partitionCount,
      latest,
      limit,
    }: StrayQuery): Promise<UnreadableDocument[]> {
      const queued = { nextAttemptAt: { $exists: true } };
      const known = Array.from({ length: partitionCount }, (_, id) => id);
      const held = { partition: { $in: [...partitions] } };
      const classes = { ...held, priority: { $in: [...priorities] } };
      const found = await Promise.all([
        find({ partition: { $not: { $in: known } }, ...queued }, outOf("partition"), limit),
        find({ ...held, priority: { $not: { $in: [...priorities] } }, ...queued }, outOf("priority"), limit),
        find(
          { ...classes, nextAttemptAt: { $exists: true, $not: { $gte: new Date(0) } } },
          outOf("nextAttemptAt"),
          limit,
        ),
        find(
          {
            ...classes,
            nextAttemptAt: { $gt: latest },
            $expr: { $not: [{ $eq: ["$nextAttemptAt", "$sendAt"] }] },
          },
          outOf("nextAttemptAt"),
          limit,
        ),
        find(
          {
            ...classes,
            nextAttemptAt: null,
            state: { $in: [...waitingStates] },
            cancelRequestedAt: { $exists: false },
            quarantinedAt: { $exists: false },
          },
          () => "nextAttemptAt: it is missing",
          limit,
        ),
      ]);
      return found.flat();
    },
  };
}

function outOf(field: "partition" | "priority" | "nextAttemptAt") {
  return (message: MessageDocument) => {
    const value: unknown = message[field];
    return `${field}: ${value instanceof Date ? value.toISOString() : String(value)} is out of range`;
  };
}
