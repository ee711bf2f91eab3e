/** Sessions by what they have in common: a client, an account, a key. A group that has none is not kept. */
export interface SessionGroups<T> {
  /** As the last of its group. */
  add(name: string, session: T): void;
  /** false: it was not there. */
  remove(name: string, session: T): boolean;
  /** In the order in which they came. */
  of(name: string): ReadonlySet<T>;
  /** What `choose` finds in the largest group in which it finds something. */
  inLargest(choose: (group: ReadonlySet<T>) => T | undefined): T | undefined;
}

const NONE: ReadonlySet<never> = new Set();

export function createSessionGroups<T>(): SessionGroups<T> {
  const groups = new Map<string, Set<T>>();
  return {
    add: (name, session) => {
      const group = groups.get(name) ?? new Set();
      groups.set(name, group.add(session));
    },
    remove: (name, session) => {
      const group = groups.get(name);
      if (!group?.delete(session)) return false;
      if (group.size === 0) groups.delete(name);
      return true;
    },
    of: (name) => groups.get(name) ?? NONE,
    inLargest: (choose) => {
      let chosen: T | undefined;
      let size = 0;
      for (const group of groups.values()) {
        const found = group.size > size ? choose(group) : undefined;
        if (found !== undefined) [chosen, size] = [found, group.size];
      }
      return chosen;
    },
  };
}
