import { randomUUID } from "node:crypto";
import type { Clock } from "../../shared/clock.ts";
import { utcDay } from "../../shared/utc-day.ts";
import type { KeyDocument, KeySurface, KeyUsesDocument } from "../../store/documents.ts";
import type { KeyUse } from "../../store/key-store.ts";
import type { AcrossAccounts } from "../../store/store.ts";

/** A successful authentication with a key. */
export interface NotedUse {
  readonly surface: KeySurface;
  /** IP address of the client; empty: unknown. */
  readonly clientAddress: string;
  /** The key was used for an operation; false: it was only checked. */
  readonly isOperation: boolean;
}

/**
 * Uses of keys: latest time, client address and daily numbers. They are collected in memory and stored periodically.
 */
export interface KeyUses {
  note(key: Pick<KeyDocument, "_id" | "accountId">, use: NotedUse): void;
  /** Stores unsaved uses. If it fails, they are kept for the next flush. */
  flush(): Promise<void>;
}

interface Counts extends Record<KeySurface, number> {
  readonly accountId: string;
  readonly keyId: string;
  readonly day: string;
  isWritten: boolean;
}

const DAY_MS = 86_400_000;
/** Longer than a year, so that a month can be compared with that of the previous year. */
const KEEP_MS = 400 * DAY_MS;

export function createKeyUses({
  keys,
  clock,
}: {
  readonly keys: Pick<AcrossAccounts["keys"], "markUsed" | "countUses">;
  readonly clock: Pick<Clock, "now">;
}): KeyUses {
  const processId = randomUUID();
  let lastUses = new Map<string, KeyUse>();
  /** By key and day. Entries of earlier days are removed once they are stored. */
  const counts = new Map<string, Counts>();

  async function writeLastUses(): Promise<void> {
    const unwritten = lastUses;
    lastUses = new Map();
    try {
      await keys.markUsed([...unwritten.values()]);
    } catch (error) {
      lastUses = new Map([...unwritten, ...lastUses]);
      throw error;
    }
  }

  async function writeCounts(): Promise<void> {
    const unwritten = [...counts.values()].filter(({ isWritten }) => !isWritten);
    // Uses that are counted during the write belong to the next one.
    for (const one of unwritten) one.isWritten = true;
    try {
      await keys.countUses(unwritten.map(toDocument));
    } catch (error) {
      for (const one of unwritten) one.isWritten = false;
      throw error;
    }
    const today = utcDay(clock.now());
    for (const [name, one] of counts) if (one.day !== today && one.isWritten) counts.delete(name);
  }

  function toDocument({ isWritten: _, ...one }: Counts): KeyUsesDocument {
    const expireAt = new Date(Date.parse(one.day) + KEEP_MS);
    return { _id: `${one.keyId}.${one.day}.${processId}`, ...one, expireAt };
  }

  return {
    note: ({ _id: keyId, accountId }, { surface, clientAddress, isOperation }) => {
      const at = clock.now();
      lastUses.set(keyId, { keyId, at, from: clientAddress, by: surface });
      if (!isOperation) return;
      const day = utcDay(at);
      const name = `${keyId} ${day}`;
      const known = counts.get(name) ?? {
        accountId,
        keyId,
        day,
        http: 0,
        smtp: 0,
        grpc: 0,
        isWritten: false,
      };
      known[surface]++;
      known.isWritten = false;
      counts.set(name, known);
    },
    flush: async () => {
      await writeLastUses();
      await writeCounts();
    },
  };
}
