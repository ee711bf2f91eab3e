/** Changes that were sent and have not ended. */
export interface ChangesUnderWay {
  /** @returns false if the same change is in progress or has just succeeded, and must not be sent again */
  begin(change: unknown): boolean;
  succeed(change: unknown): void;
  fail(change: unknown): void;
}

/** Browsers treat two presses within this time as a double click. */
const DOUBLE_MS = 500;

/** Two changes are the same if their JSON is equal, or if they are the same file. */
const keyOf = (change: unknown): unknown => (change instanceof Blob ? change : JSON.stringify(change));

const afterTime = (ms: number, run: () => void): unknown => setTimeout(run, ms);

export function createChangesUnderWay(after: typeof afterTime = afterTime): ChangesUnderWay {
  const keys = new Set<unknown>();
  const forget = (change: unknown) => void keys.delete(keyOf(change));
  return {
    begin: (change) => {
      const key = keyOf(change);
      if (keys.has(key)) return false;
      keys.add(key);
      return true;
    },
    // A fast server responds before the second press.
    succeed: (change) => void after(DOUBLE_MS, () => forget(change)),
    fail: forget,
  };
}
