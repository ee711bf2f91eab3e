/** Sessions grouped by a client, an account or a key. Empty groups are removed. */
export interface SessionGroups<T> {
  /** Adds a session at the end of its group. */
  add(name: string, session: T): void;
  /** False: it was not in the group. */
  remove(name: string, session: T): boolean;
  /** In the order of arrival. */
  of(name: string): ReadonlySet<T>;
  /** Result of `choose` in the largest group with a result. */
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
