import type { Collection } from "mongodb";
import type { MessageDocument } from "./message-documents.ts";
import { priorities } from "./policy-document.ts";
import { guarded } from "./store-fault.ts";

/** Number of index ranges that both stores merge. With more ranges they sort all due messages. */
export const MERGED_AT_ONCE = 200;

/**
 * Finds the earliest due time of the waiting messages of these partitions; undefined: none is due. The queue index
 * answers it: one entry is read for each partition.
 */
export function createOldestDue(messages: Collection<MessageDocument>) {
  const oldestIn = async (partitions: readonly number[], priority: string, now: Date): Promise<number[]> => {
    const filter = {
      partition: { $in: [...partitions] },
      priority,
      nextAttemptAt: { $lte: now, $gte: new Date(0) },
    } as const;
    const projection = { _id: 0, nextAttemptAt: 1 } as const;
    const found = messages
      .find(filter as object, { projection })
      .sort({ nextAttemptAt: 1 })
      .limit(1);
    const oldest = await guarded(found.next());
    return oldest?.nextAttemptAt ? [oldest.nextAttemptAt.getTime()] : [];
  };

  return async (partitions: readonly number[], now: Date): Promise<Date | undefined> => {
    const parts = [];
    for (let at = 0; at < partitions.length; at += MERGED_AT_ONCE) {
      const part = partitions.slice(at, at + MERGED_AT_ONCE);
      parts.push(...priorities.map((priority) => oldestIn(part, priority, now)));
    }
    const times = (await Promise.all(parts)).flat();
    return times.length === 0 ? undefined : new Date(Math.min(...times));
  };
}
