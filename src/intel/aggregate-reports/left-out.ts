/** Parts of a report that could not be read. */
export interface LeftOut {
  readonly count: number;
  /** The first of these parts. */
  readonly examples: readonly {
    /** Position in the report, from 1. */
    readonly number: number;
    readonly reason: string;
  }[];
}

const MAX_EXAMPLES = 100;

/** Counts the parts that are left out of one report. */
export function countLeftOut() {
  const examples: { number: number; reason: string }[] = [];
  let count = 0;
  return {
    add: (number: number, reason: string): void => {
      count++;
      if (examples.length < MAX_EXAMPLES) examples.push({ number, reason });
    },
    total: (): LeftOut => ({ count, examples }),
  };
}
