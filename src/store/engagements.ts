import type { Collection } from "mongodb";
import { type MessageName, named } from "./bucket.ts";
import type { EngagementKind, MessageDocument } from "./message-documents.ts";
import { guarded } from "./store-fault.ts";

/** One open or click, as it is counted. */
export interface NewEngagement {
  readonly hitId: string;
  readonly at: Date;
  readonly isMachine: boolean;
  /** Of a click: a digest of the link. */
  readonly link?: string | undefined;
}

/** What recipients did with messages, counted at the messages themselves: it goes when they go. */
export function createEngagements(messages: Collection<MessageDocument>) {
  return (accountId: string) => ({
    /**
     * Counts one more.
     * @returns how many there are with it; 0: the message is gone
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

    /** Says that this was the first of its kind that a person made; false: another one was, or the message is gone. */
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
