import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Clock } from "../../shared/clock.ts";
import type { WaitingCounts } from "../../store/waiting-store.ts";

/** A reader waits for the result, and the core has other work. */
const COUNTING_MS = 2_000;

/** Counts of a part of the queue. */
interface Counted {
  count(): Promise<{ readonly waiting: number; readonly scheduled: number }>;
  countByDestination(isOver: () => boolean): Promise<WaitingCounts>;
}

interface CountOptions {
  /** Number of listed destinations. */
  readonly top: number;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly signal: AbortSignal;
}

/** Counts waiting messages: the total exactly, and the destinations within two seconds. */
export async function countQueue(counted: Counted, { top, clock, signal }: CountOptions) {
  const untilMs = clock.monotonicMs() + COUNTING_MS;
  const total = await counted.count();
  const isOver = () => signal.aborted || clock.monotonicMs() >= untilMs;
  const { destinations: found, isPartial } = await counted.countByDestination(isOver);
  const largest = found.toSorted((a, b) => b.waiting - a.waiting || (a.domain < b.domain ? -1 : 1));
  const listed = largest.slice(0, top);
  const inListed = listed.reduce((sum, one) => sum + one.waiting, 0);
  const oldestMs = found.reduce(
    (ms, { oldestAt }) => Math.min(ms, oldestAt.getTime()),
    Number.POSITIVE_INFINITY,
  );
  return {
    waiting: BigInt(total.waiting),
    scheduled: BigInt(total.scheduled),
    ...(found.length > 0 && { oldestAt: timestampFromDate(new Date(oldestMs)) }),
    destinations: listed.map(({ domain, waiting, oldestAt }) => ({
      domain,
      waiting: BigInt(waiting),
      oldestAt: timestampFromDate(oldestAt),
    })),
    // The queue changes between the counts.
    otherWaiting: BigInt(Math.max(total.waiting - inListed, 0)),
    isPartial,
  };
}
