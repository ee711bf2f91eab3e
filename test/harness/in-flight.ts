import type { MxReceipt } from "./mx-behaviour.ts";

/** A killed process with messages in flight. */
export interface Kill {
  readonly what: "worker" | "core" | "primary";
  readonly atMs: number;
  /** EHLO name of a killed worker, which is unique for each start. */
  readonly client?: string;
  /** Time at which the store became writable again, for a killed primary. */
  readonly recoveredMs?: number;
  /** Maximum number of deliveries in flight. */
  readonly mostInFlight: number;
}

export interface DuplicateCount {
  /** Messages that arrived more than once. */
  readonly messages: number;
  /** Arrivals after the first. */
  readonly extra: number;
  /** Number of arrivals that each kill explains. */
  readonly byKill: ReadonlyMap<Kill, number>;
  /** Ids of messages that arrived again without having been in flight at a kill. */
  readonly unexplained: readonly string[];
}

/** Time between the final dot and the record of its answer, on a busy machine. */
const RECORDING_MS = 5_000;
/** Writes of a killed process may arrive after its end. */
const LATE_MS = 2_000;

/**
 * Counts the repeated arrivals that at-least-once delivery allows: the previous arrival of the message was being
 * recorded when its worker or the store was killed.
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
