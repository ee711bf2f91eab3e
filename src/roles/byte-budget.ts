import { getHeapStatistics } from "node:v8";
import type { Config } from "../config.ts";
import { type ByteBudget, createByteBudget } from "../shared/byte-budget.ts";
import { fault } from "../shared/fault.ts";
import type { Process } from "./process.ts";

const MEGABYTE = 1024 * 1024;
const MOST_BYTES = 96 * MEGABYTE;
const LEAST_BYTES = MEGABYTE;
/** Memory and heap of an idle process with every role. */
const IDLE_BYTES = 200 * MEGABYTE;
const IDLE_HEAP_BYTES = 64 * MEGABYTE;
/**
 * Maximum number of copies of a byte of a submission: the request, its text, the parsed value, the decoded value, its
 * form on the wire, the value that the core decodes, and the data for the store.
 */
const COPIES = 7;
/**
 * Number of these copies in the JavaScript heap. Text with one character beyond Latin-1 takes two bytes for each of its
 * characters: as the parsed value, as the core's value, and for a moment as the text of the request.
 */
const HEAP_COPIES = 6;

/** Memory limits of a process, in bytes. */
export interface MemoryLimits {
  /** Limit of the JavaScript heap in V8 (`--max-old-space-size`). */
  readonly heapBytes: number;
  /** Limit of all memory, from the control group or the machine. */
  readonly allBytes: number;
}

function memoryLimits(): MemoryLimits {
  const { heap_size_limit: heapBytes } = getHeapStatistics();
  // Without a limit, Node returns 0 or a number larger than the memory of any machine.
  return { heapBytes, allBytes: process.constrainedMemory() || Number.POSITIVE_INFINITY };
}

/** Default of HERMOD_BYTES_IN_FLIGHT_MAX: as much as fits into the memory. */
export function bytesThatFit({ heapBytes, allBytes }: MemoryLimits): number {
  const fitting = Math.min(
    MOST_BYTES,
    (heapBytes - IDLE_HEAP_BYTES) / HEAP_COPIES,
    (allBytes - IDLE_BYTES) / COPIES,
  );
  return Math.floor(Math.max(LEAST_BYTES, fitting));
}

/** Maximum number of bytes of submissions in memory at once in this process. */
export function maxBytesInFlight({ limits: { bytesInFlight: most } }: Config): number {
  return most ?? bytesThatFit(memoryLimits());
}

/** Budget for the bytes of submissions that a part of this process has in memory. The metrics report them. */
export function composeByteBudget({ config, clock, metrics }: Process, role: "edge" | "core"): ByteBudget {
  const budget = createByteBudget({ maxBytes: maxBytesInFlight(config), clock });
  metrics.watchBytesInFlight(role, budget.usedBytes);
  return budget;
}

/** For /readyz: rejects while there is no capacity for small submissions. */
export function hasCapacity(budget: ByteBudget): () => Promise<void> {
  return async () => {
    if (!budget.hasCapacity()) throw fault("service.busy", { internal: "no capacity for submissions" });
  };
}
