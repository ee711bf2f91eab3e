import { setTimeout as sleep } from "node:timers/promises";
import type { FaultCodeName } from "../../../contracts/common/fault-codes.ts";
import type { WatchEventsResponse } from "../../../gen/hermod/live/v1/live_service_pb.ts";
import { Fault } from "../../shared/fault.ts";

/** After these another core, or the same one a little later, may go on. */
const AWAY: ReadonlySet<FaultCodeName> = new Set([
  "core.unavailable",
  "core.connection_lost",
  "core.timeout",
  "store.unavailable",
  "store.full",
  "live.full",
] as const);

const PAUSE_MS = 1_000;
const MAX_PAUSES = 30;

/** Asks a core, which may be another one each time. The reports end once the signal is aborted. */
export type WatchCore = (after: string, signal: AbortSignal) => AsyncIterable<WatchEventsResponse>;

export interface FollowOptions {
  readonly watch: WatchCore;
  /** Where to begin; empty: now. */
  readonly after: string;
  readonly signal: AbortSignal;
  /** Shorter, for tests. */
  readonly pauseMs?: number;
}

/**
 * The reports of one core after another, each going on where the one before it has gone away; undefined: there is none now.
 * @throws Fault of the first core at the beginning; later those that another try does not mend
 */
export async function* followCores({
  watch,
  after,
  signal,
  pauseMs = PAUSE_MS,
}: FollowOptions): AsyncGenerator<WatchEventsResponse | undefined, void> {
  let position = after;
  let hasBegun = false;
  for (let pauses = 0; ; pauses++) {
    try {
      for await (const report of watch(position, signal)) {
        position = report.position;
        hasBegun = true;
        pauses = 0;
        yield report;
      }
      return;
    } catch (error) {
      const mayGoOn = hasBegun && error instanceof Fault && AWAY.has(error.code) && pauses < MAX_PAUSES;
      if (!mayGoOn || signal.aborted) throw error;
    }
    yield undefined;
    await sleep(pauseMs, undefined, { signal, ref: false });
  }
}
