import type { Collection } from "mongodb";
import { type MessageName, named } from "./bucket.ts";
import type { EngagementKind, MessageDocument } from "./message-documents.ts";
import { guarded } from "./store-fault.ts";

/** One counted open or click. */
export interface NewEngagement {
  readonly hitId: string;
  readonly at: Date;
  readonly isMachine: boolean;
  /** Digest of the link, for a click. */
  readonly link?: string | undefined;
}

/** Counts of opens and clicks, stored in the messages and removed with them. */
export function createEngagements(messages: Collection<MessageDocument>) {
  return (accountId: string) => ({
    /**
     * Counts one more.
     * @returns the new count; 0: the message no longer exists
     * @throws Fault store.unavailable: it may be counted
     */
    async countEngagement(
      message: MessageName,
      kind: EngagementKind,
      { at, isMachine, link }: Omit<NewEngagement, "hitId">,
    ): Promise<number> {
      const field = `engagement.${kind}`;
      const counted = { [`${field}.count`]: 1, ...(isMachine && { [`${field}.machineCount`]: 1 }) };
      const last = { [`${field}.lastAt`]: at, ...(link !== undefined && { [`${field}.lastLink`]: link }) };
      const after = await guarded(
        messages.findOneAndUpdate(
          { ...named(message), accountId },
          { $inc: counted, $set: last },
          { projection: { engagement: 1 }, returnDocument: "after" },
        ),
      );
      return after?.engagement?.[kind]?.count ?? 0;
    },

    /**
     * Marks this as the first of its kind by a person; false: there was an earlier one, or the message no longer
     * exists.
     */
    async claimFirstEngagement(
      message: MessageName,
      kind: EngagementKind,
      { hitId, at }: Pick<NewEngagement, "hitId" | "at">,
    ): Promise<boolean> {
      const field = `engagement.${kind}.first`;
      const unclaimed = { ...named(message), accountId, [field]: { $exists: false } };
      const result = await guarded(messages.updateOne(unclaimed, { $set: { [field]: { hitId, at } } }));
      return result.matchedCount === 1;
    },
  });
}
