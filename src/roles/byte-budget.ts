import { getHeapStatistics } from "node:v8";
import type { Config } from "../config.ts";
import { type ByteBudget, createByteBudget } from "../shared/byte-budget.ts";
import { fault } from "../shared/fault.ts";
import type { Process } from "./process.ts";

const MEGABYTE = 1024 * 1024;
const MOST_BYTES = 96 * MEGABYTE;
const LEAST_BYTES = MEGABYTE;
/** What an idle process has of either, with every role in it. */
const IDLE_BYTES = 200 * MEGABYTE;
const IDLE_HEAP_BYTES = 64 * MEGABYTE;
/**
 * What a byte of a submission costs on its way at most: the request, its text, the parsed value, what was decoded of it,
 * its form on the wire, what the core decodes, and what is written to the store.
 */
const COPIES = 7;
/**
 * The part of these that is JavaScript's: text with one character beyond Latin-1 takes two bytes for each of its characters, as
 * the parsed value, as the core's, and for a moment as the text of the request.
 */
const HEAP_COPIES = 6;

/** How much memory a process may have, in bytes. */
export interface MemoryLimits {
  /** JavaScript's heap, as V8 has it (`--max-old-space-size`). */
  readonly heapBytes: number;
  /** All memory, as the control group has it, or the machine. */
  readonly allBytes: number;
}

function memoryLimits(): MemoryLimits {
  const { heap_size_limit: heapBytes } = getHeapStatistics();
  // Without a limit Node says 0, or a number beyond every machine.
  return { heapBytes, allBytes: process.constrainedMemory() || Number.POSITIVE_INFINITY };
}

/** HERMOD_BYTES_IN_FLIGHT_MAX where it is not set: as much as fits into the memory there is. */
export function bytesThatFit({ heapBytes, allBytes }: MemoryLimits): number {
  const fitting = Math.min(
    MOST_BYTES,
    (heapBytes - IDLE_HEAP_BYTES) / HEAP_COPIES,
    (allBytes - IDLE_BYTES) / COPIES,
  );
  return Math.floor(Math.max(LEAST_BYTES, fitting));
}

/** What submissions may have in memory at once here. */
export function maxBytesInFlight({ limits: { bytesInFlight: most } }: Config): number {
  return most ?? bytesThatFit(memoryLimits());
}

/** The bytes of submissions that a part of this process has in memory, which its metrics tell. */
export function composeByteBudget({ config, clock, metrics }: Process, role: "edge" | "core"): ByteBudget {
  const budget = createByteBudget({ maxBytes: maxBytesInFlight(config), clock });
  metrics.watchBytesInFlight(role, budget.usedBytes);
  return budget;
}

/** For /readyz: rejects while small submissions are turned away for want of room. */
export function hasCapacity(budget: ByteBudget): () => Promise<void> {
  return async () => {
    if (!budget.hasCapacity()) throw fault("service.busy", { internal: "no capacity for submissions" });
  };
}
