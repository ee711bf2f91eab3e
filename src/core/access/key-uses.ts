import { randomUUID } from "node:crypto";
import type { Clock } from "../../shared/clock.ts";
import { utcDay } from "../../shared/utc-day.ts";
import type { KeyDocument, KeySurface, KeyUsesDocument } from "../../store/documents.ts";
import type { KeyUse } from "../../store/key-store.ts";
import type { AcrossAccounts } from "../../store/store.ts";

/** A key that was found good for something. */
export interface NotedUse {
  readonly surface: KeySurface;
  /** The client's IP address; empty: it is not known. */
  readonly clientAddress: string;
  /** It was asked to do something, and not only whether it might. */
  readonly isOperation: boolean;
}

/** When keys were last used, from where, and how often a day. It is noted in memory and written now and then. */
export interface KeyUses {
  note(key: Pick<KeyDocument, "_id" | "accountId">, use: NotedUse): void;
  /** Writes what is not written yet; what cannot be is kept for the next time. */
  flush(): Promise<void>;
}

interface Counts extends Record<KeySurface, number> {
  readonly accountId: string;
  readonly keyId: string;
  readonly day: string;
  isWritten: boolean;
}

const DAY_MS = 86_400_000;
/** Longer than a year, so that a month can be compared with that of the year before. */
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
  /** By key and day; those of former days are let go once they are written. */
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
    // Whatever is counted while they are written is for the next time.
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
