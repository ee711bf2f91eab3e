import type { MessageDocument } from "../../store/message-documents.ts";

/** The messages of an account to a domain, in one partition. */
export interface Group
  extends Pick<MessageDocument, "partition" | "priority" | "accountId" | "recipientDomain" | "policy"> {
  /** What is due earlier has been read. */
  from: Date;
}

/**
 * Messages of one class that were found and had no place: which they are the store knows, here stands whose they are
 * and where they begin. So what waits for a domain that has enough in memory is not read again until there is room.
 */
export interface PassedOver {
  readonly size: number;
  isAny(isSo: (group: Group) => boolean): boolean;
  add(message: MessageDocument): void;
  /** Those in these partitions that may go on now. Whoever is the first is the last of them the next time. */
  roomy(partitions: ReadonlySet<number>, hasPlaceFor: (group: Group) => boolean): Group[];
  /** All of these groups was read that is due between the two times; without an end: whatever is due. */
  wereRead(groups: readonly Group[], from: Date, to: Date | undefined): void;
}

/** What is beyond it is found when everything is looked through. */
const MAX_GROUPS = 10_000;
const MAX_LOOKED_AT = 500;

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
    roomy: (partitions, hasPlaceFor) => {
      const found: Group[] = [];
      for (const [key, group] of [...groups].slice(0, MAX_LOOKED_AT)) {
        groups.delete(key);
        // The next owner of a partition that has gone knows of it.
        if (!partitions.has(group.partition)) continue;
        groups.set(key, group);
        if (hasPlaceFor(group)) found.push(group);
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
