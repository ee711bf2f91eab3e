import { randomBytes } from "node:crypto";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createTrackingTokens, type TrackingTokens } from "../message/tracking/token.ts";
import type { CoreClient } from "../rpc/client.ts";
import type { Clock } from "../shared/clock.ts";
import { Fault } from "../shared/fault.ts";

/** A fetched pixel or a followed link. */
export interface NewHit {
  readonly token: string;
  readonly userAgent: string;
  readonly clientAddress: string;
  readonly prefetch: boolean;
}

export interface HitCollectorOptions {
  readonly core: Pick<CoreClient, "tracking">;
  readonly clock: Pick<Clock, "now">;
  /** Called with the number of dropped hits. */
  readonly onLeftOut: (count: number) => void;
}

/** Collects opens and clicks in memory, with limits, so that a reader who follows a link does not wait for the core. */
export interface HitCollector {
  /**
   * Returns the reader of tokens, fetched once from the core.
   * @throws Fault core.* or store.* if the core or the store is unavailable before the first success
   */
  tokens(): Promise<TrackingTokens>;
  add(hit: NewHit): void;
  /**
   * Submits the collected hits in batches. Hits that cannot be submitted now are retained for the next time.
   * @throws Fault core.* or store.* if the core or the store is unavailable
   */
  flush(): Promise<void>;
}

/** Hits that wait to be handed over: 20 MB at most. */
export const MOST_HITS = 5_000;
/** Maximum number of hits per token and second. */
export const MOST_HITS_OF_TOKEN = 20;
/** As many as the core takes at once. */
const BATCH = 500;
/** Maximum length of a User-Agent. The core stores less. */
const MAX_AGENT_LENGTH = 500;
const ID_BYTES = 12;

/** Codes of the core while it or the store is unavailable. Any other fault would repeat with the same batch. */
const AWAY = /^(?:core|store|service|auth)\./;

export function createHitCollector({ core, clock, onLeftOut }: HitCollectorOptions): HitCollector {
  /** Set once, after the core has returned the key. */
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
        const reported = new Set(batch);
        waiting = waiting.filter((hit) => !reported.has(hit));
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
