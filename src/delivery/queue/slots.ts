import type { MessageDocument } from "../../store/message-documents.ts";

/**
 * The slots in memory for waiting messages of one class. One account may use all of them until another one needs some: then the
 * largest holder gives way, first among accounts, then among the account's domains, its newest message first.
 */
export interface Slots {
  readonly size: number;
  add(message: Waiting): void;
  remove(message: Waiting): void;
  /** True if the message would find a slot. */
  isThereFor(message: Owner): boolean;
  /** Id of the message that must give way; undefined: there is capacity, or the message is of the largest holder. */
  givesWayTo(message: Owner): string | undefined;
}

type Owner = Pick<MessageDocument, "accountId" | "recipientDomain">;
type Waiting = Owner & Pick<MessageDocument, "_id">;

interface Holder {
  size: number;
  /** Ids by domain, in the order of arrival. */
  readonly domains: Map<string, Set<string>>;
}

export function createSlots(count: number): Slots {
  const holders = new Map<string, Holder>();
  let size = 0;

  function largestHolder(): Holder | undefined {
    let largest: Holder | undefined;
    for (const holder of holders.values()) if (holder.size > (largest?.size ?? 0)) largest = holder;
    return largest;
  }

  function givesWayTo({ accountId, recipientDomain }: Owner): string | undefined {
    if (size < count) return undefined;
    const own = holders.get(accountId);
    const largest = largestHolder();
    if (!largest) return undefined;
    if ((own?.size ?? 0) + 1 < largest.size) return lastOf(largestDomain(largest));
    const domain = own && largestDomain(own);
    const ownCount = own?.domains.get(recipientDomain)?.size ?? 0;
    return domain && ownCount + 1 < domain.size ? lastOf(domain) : undefined;
  }

  return {
    get size() {
      return size;
    },
    givesWayTo,
    isThereFor: (message) => size < count || givesWayTo(message) !== undefined,
    add: ({ _id: id, accountId, recipientDomain }) => {
      const holder = holders.get(accountId) ?? { size: 0, domains: new Map<string, Set<string>>() };
      const ids = holder.domains.get(recipientDomain) ?? new Set<string>();
      holders.set(accountId, holder);
      holder.domains.set(recipientDomain, ids.add(id));
      holder.size++;
      size++;
    },
    remove: ({ _id: id, accountId, recipientDomain }) => {
      const holder = holders.get(accountId);
      const ids = holder?.domains.get(recipientDomain);
      if (!holder || !ids?.delete(id)) return;
      if (ids.size === 0) holder.domains.delete(recipientDomain);
      if (--holder.size === 0) holders.delete(accountId);
      size--;
    },
  };
}

function largestDomain({ domains }: Holder): ReadonlySet<string> {
  let largest: ReadonlySet<string> = new Set();
  for (const ids of domains.values()) if (ids.size > largest.size) largest = ids;
  return largest;
}

function lastOf(ids: ReadonlySet<string>): string | undefined {
  let last: string | undefined;
  for (const id of ids) last = id;
  return last;
}
