import { randomBytes } from "node:crypto";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createTrackingTokens, type TrackingTokens } from "../message/tracking/token.ts";
import type { CoreClient } from "../rpc/client.ts";
import type { Clock } from "../shared/clock.ts";
import { Fault } from "../shared/fault.ts";

/** That a pixel was fetched or a link was followed. */
export interface NewHit {
  readonly token: string;
  readonly userAgent: string;
  readonly clientAddress: string;
  readonly prefetch: boolean;
}

export interface HitCollectorOptions {
  readonly core: Pick<CoreClient, "tracking">;
  readonly clock: Pick<Clock, "now">;
  /** Told of hits that nobody will hear of. */
  readonly onLeftOut: (count: number) => void;
}

/** Collects opens and clicks in memory, within bounds: nobody who follows a link waits for the core. */
export interface HitCollector {
  /**
   * What reads tokens: asked of the core once, and kept.
   * @throws Fault core.* or store.* when the core or the store is away before it was told
   */
  tokens(): Promise<TrackingTokens>;
  add(hit: NewHit): void;
  /**
   * Hands over what there is, batch by batch. What cannot be handed over now is kept for the next time.
   * @throws Fault core.* or store.* when the core or the store is away
   */
  flush(): Promise<void>;
}

/** Hits that wait to be handed over: 20 MB at most. */
export const MOST_HITS = 5_000;
/** Of one token: who asks for the same again and again makes no more work than this, once a second. */
export const MOST_HITS_OF_TOKEN = 20;
/** As many as the core takes at once. */
const BATCH = 500;
/** Of what a client says of itself; the core keeps less. */
const MAX_AGENT_LENGTH = 500;
const ID_BYTES = 12;

/** What the core may say while it, or the store, is away; any other fault would come again with the same batch. */
const AWAY = /^(?:core|store|service|auth)\./;

export function createHitCollector({ core, clock, onLeftOut }: HitCollectorOptions): HitCollector {
  /** Set once, when the core has told the key. */
  let known: TrackingTokens | undefined;
  /** Set while the core is asked for it. */
  let asked: Promise<TrackingTokens> | undefined;
  let waiting: HitInit[] = [];
  /** How many of them are of each token. */
  const waitingOf = new Map<string, number>();

  async function ask(): Promise<TrackingTokens> {
    const { key } = await core.tracking.getTokenKey({});
    known = createTrackingTokens(Uint8Array.from(key));
    return known;
  }

  return {
    tokens: async () => {
      if (known) return known;
      asked ??= ask().finally(() => {
        asked = undefined;
      });
      return asked;
    },

    add: ({ userAgent, ...hit }) => {
      const ofToken = waitingOf.get(hit.token) ?? 0;
      if (waiting.length >= MOST_HITS || ofToken >= MOST_HITS_OF_TOKEN) {
        onLeftOut(1);
        return;
      }
      waitingOf.set(hit.token, ofToken + 1);
      waiting.push({
        ...hit,
        // Not after the time: of two front ends each makes its own.
        id: randomBytes(ID_BYTES).toString("base64url"),
        at: timestampFromDate(clock.now()),
        userAgent: userAgent.slice(0, MAX_AGENT_LENGTH),
      });
    },

    flush: async () => {
      for (let batch = waiting.slice(0, BATCH); batch.length > 0; batch = waiting.slice(0, BATCH)) {
        try {
          const { leftOut } = await core.tracking.recordHits({ hits: batch });
          if (leftOut > 0) onLeftOut(leftOut);
        } catch (error) {
          if (AWAY.test(Fault.from(error).code)) throw error;
          onLeftOut(batch.length);
        }
        // At the end of a process two may be handing over: nothing is lost to the other one.
        const told = new Set(batch);
        waiting = waiting.filter((hit) => !told.has(hit));
        waitingOf.clear();
        for (const { token } of waiting) waitingOf.set(token, (waitingOf.get(token) ?? 0) + 1);
      }
    },
  };
}

interface HitInit extends NewHit {
  readonly id: string;
  readonly at: ReturnType<typeof timestampFromDate>;
}
