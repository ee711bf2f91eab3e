/** What of a report could not be read, while the rest was. */
export interface LeftOut {
  readonly count: number;
  /** The first of them. */
  readonly examples: readonly {
    /** Its number in the report, from 1. */
    readonly number: number;
    readonly reason: string;
  }[];
}

const MAX_EXAMPLES = 100;

/** Counts what is left out of one report. */
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
