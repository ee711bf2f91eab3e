export interface BloomFilter {
  add(text: string): void;
  /** False: the text was never added. True: it was added, or other texts together have set its bits. */
  mayHave(text: string): boolean;
}

/** One MiB. The false positive rate is 1 in 1.5 million with 100,000 texts, and 1 in 55 with a million. */
const BITS = 2 ** 23;
/** Number of bits that a text sets. */
const POSITIONS = 5;

const FIRST_SEED = 0x811c9dc5;
const SECOND_SEED = 0x9747b28c;
/** Odd, so that no step loses information. */
const FIRST_FACTOR = 0x01000193;
const SECOND_FACTOR = 0x5bd1e995;

/**
 * A set of texts with constant memory, without removal (B. H. Bloom, Space/Time Trade-offs in Hash Coding, 1970). Two
 * hashes give the positions of a text (A. Kirsch and M. Mitzenmacher, Less Hashing, Same Performance, 2006).
 * @param bits a power of two, at least 8
 */
export function createBloomFilter(bits = BITS): BloomFilter {
  const bytes = new Uint8Array(bits / 8);

  /** Calls `look` for each position of a text until it returns false. Returns whether none did. */
  function everyPosition(text: string, visit: (at: number, bit: number) => boolean): boolean {
    let first = FIRST_SEED;
    let second = SECOND_SEED;
    // Well-formed, because a database returns only valid UTF-8.
    const written = text.toWellFormed();
    for (let at = 0; at < written.length; at++) {
      const unit = written.charCodeAt(at);
      first = Math.imul(first ^ unit, FIRST_FACTOR);
      second = Math.imul(second ^ unit, SECOND_FACTOR);
    }
    let position = mix(first);
    // Odd, so that all positions of a text differ.
    const step = mix(second) | 1;
    for (let n = 0; n < POSITIONS; n++) {
      const bit = position & (bits - 1);
      if (!visit(bit >>> 3, 1 << (bit & 7))) return false;
      position = (position + step) | 0;
    }
    return true;
  }

  return {
    add(text) {
      everyPosition(text, (at, bit) => {
        bytes[at] = (bytes[at] as number) | bit;
        return true;
      });
    },
    mayHave: (text) => everyPosition(text, (at, bit) => ((bytes[at] as number) & bit) !== 0),
  };
}

/** Makes each bit of a hash depend on all of them (A. Appleby, MurmurHash3). */
function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
