/** An installation has no more of them: one worker alone renews the lease of each every second. */
export const MAX_PARTITIONS = 1_024;

/** The partition of a message: all of one account's policy to one domain are delivered by one worker. */
export type PartitionOf = (accountId: string, policy: string, recipientDomain: string) => number;

/**
 * @param count how many partitions the queue has: what is stored of this installation, never what a process thinks of
 * it, for messages in a partition that no worker knows would wait for ever
 */
export function createPartitionOf(count: number): PartitionOf {
  return (accountId, policy, recipientDomain) =>
    fnv1a(`${accountId}\0${policy}\0${recipientDomain.toLowerCase()}`) % count;
}

/** FNV-1a, 32 bits. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
