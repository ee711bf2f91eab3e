/** Maximum number of partitions of an installation: a single worker renews the lease of each every second. */
export const MAX_PARTITIONS = 1_024;

/** Partition of a message. One worker delivers all messages of an account's policy to one domain. */
export type PartitionOf = (accountId: string, policy: string, recipientDomain: string) => number;

/**
 * @param count stored number of partitions of this installation, not an assumption of the process: messages in a
 * partition that no worker knows would wait forever
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
