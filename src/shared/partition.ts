/** How many partitions the queue has; workers share them out. */
export const PARTITION_COUNT = 64;

/** The partition of a message: all of one policy to one domain are delivered by one worker. FNV-1a, 32 bits. */
export function partitionOf(policy: string, recipientDomain: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${policy}\0${recipientDomain.toLowerCase()}`)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash % PARTITION_COUNT;
}
