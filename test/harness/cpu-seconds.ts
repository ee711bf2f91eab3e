/**
 * Hostile input is to be read in time that grows as its length does. In the time of the processor, so that what else the
 * machine does is not counted; far above what such input takes, and far below what a slower growth would.
 */
export const HOSTILE_INPUT_CPU_SECONDS = 10;

/** Seconds of the processor that this took. */
export function cpuSecondsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}
