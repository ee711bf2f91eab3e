import type { MessageDocument } from "../../store/message-documents.ts";

/** Messages of an account to a domain, in one partition. */
export interface Group
  extends Pick<MessageDocument, "partition" | "priority" | "accountId" | "recipientDomain" | "policy"> {
  /** Messages that are due earlier have been read. */
  from: Date;
}

/**
 * Groups of messages of one class that were found without a slot: only their account, domain and begin are held here; the store
 * has the messages. A domain with enough messages in memory is therefore not read again until there is capacity.
 */
export interface PassedOver {
  readonly size: number;
  isAny(isSo: (group: Group) => boolean): boolean;
  add(message: MessageDocument): void;
  /** Groups in these partitions that may continue now, in rotating order. */
  roomy(partitions: ReadonlySet<number>, hasSlotFor: (group: Group) => boolean): Group[];
  /** All messages of these groups that are due between the two times were read; without an end: all due messages. */
  wereRead(groups: readonly Group[], from: Date, to: Date | undefined): void;
}

/** Groups beyond this number are found in the full scan. */
const MAX_GROUPS = 10_000;
const MAX_EXAMINED = 500;

export function createPassedOver(): PassedOver {
  const groups = new Map<string, Group>();

  return {
    get size() {
      return groups.size;
    },
    isAny: (isSo) => {
      for (const group of groups.values()) if (isSo(group)) return true;
      return false;
    },
    add: ({ partition, priority, accountId, recipientDomain, policy, nextAttemptAt: from }) => {
      if (!from) return;
      const key = keyOf({ partition, accountId, recipientDomain, policy });
      const known = groups.get(key);
      if (known && from < known.from) known.from = from;
      if (!known && groups.size < MAX_GROUPS)
        groups.set(key, { partition, priority, accountId, recipientDomain, policy, from });
    },
    roomy: (partitions, hasSlotFor) => {
      const found: Group[] = [];
      for (const [key, group] of [...groups].slice(0, MAX_EXAMINED)) {
        groups.delete(key);
        // The next owner of a partition finds it.
        if (!partitions.has(group.partition)) continue;
        groups.set(key, group);
        if (hasSlotFor(group)) found.push(group);
      }
      const [first] = found;
      if (!first) return found;
      groups.delete(keyOf(first));
      groups.set(keyOf(first), first);
      return found;
    },
    wereRead: (those, from, to) => {
      for (const group of those) {
        if (group.from < from) continue;
        if (to === undefined) groups.delete(keyOf(group));
        else if (group.from < to) group.from = to;
      }
    },
  };
}

function keyOf({ partition, accountId, recipientDomain, policy }: Omit<Group, "from" | "priority">): string {
  return `${partition} ${accountId} ${recipientDomain} ${policy}`;
}
