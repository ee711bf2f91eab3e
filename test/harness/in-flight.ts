import type { MxReceipt } from "./mx-behaviour.ts";

/** A process that was killed while messages were on their way. */
export interface Kill {
  readonly what: "worker" | "core" | "primary";
  readonly atMs: number;
  /** The name that a killed worker gave in EHLO: one of its own each time it is started. */
  readonly client?: string;
  /** When the store could be written to again; that of a killed primary. */
  readonly recoveredMs?: number;
  /** Deliveries that can have been under way. */
  readonly mostInFlight: number;
}

export interface DuplicateCount {
  /** Messages that arrived more than once. */
  readonly messages: number;
  /** Arrivals after the first. */
  readonly extra: number;
  /** How many of them each kill accounts for. */
  readonly byKill: ReadonlyMap<Kill, number>;
  /** Ids of messages that came again without having been in flight at a kill. */
  readonly unexplained: readonly string[];
}

/** Between the final dot and the record of its answer, on a machine that is busy. */
const RECORDING_MS = 5_000;
/** What a killed process has written may arrive after its end. */
const LATE_MS = 2_000;

/**
 * Which of the repeated arrivals at-least-once delivery allows: those of a message whose former arrival was being
 * recorded when its worker, or the store, was killed.
 */
export function countDuplicates(
  receipts: ReadonlyMap<string, readonly MxReceipt[]>,
  kills: readonly Kill[],
): DuplicateCount {
  const byKill = new Map<Kill, number>(kills.map((kill) => [kill, 0]));
  const unexplained: string[] = [];
  let messages = 0;
  let extra = 0;
  for (const [id, arrivals] of receipts) {
    if (arrivals.length > 1) messages++;
    for (const former of arrivals.slice(0, -1)) {
      extra++;
      const kill = kills.find((one) => wasInFlight(former, one));
      if (kill) byKill.set(kill, (byKill.get(kill) ?? 0) + 1);
      else unexplained.push(id);
    }
  }
  return { messages, extra, byKill, unexplained };
}

function wasInFlight({ atMs, client }: MxReceipt, kill: Kill): boolean {
  if (atMs < kill.atMs - RECORDING_MS) return false;
  if (kill.what === "worker") return client === kill.client && atMs <= kill.atMs + LATE_MS;
  return kill.recoveredMs !== undefined && atMs <= kill.recoveredMs + RECORDING_MS;
}
