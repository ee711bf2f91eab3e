/**
 * Limit for hostile input, which must be read in linear time. CPU time excludes other work of the machine. The
 * limit is far above the normal time of such input, and far below quadratic time.
 */
export const HOSTILE_INPUT_CPU_SECONDS = 10;

/** Returns the CPU seconds that `work` took. */
export function cpuSecondsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}
