import type { CheckPart } from "../intel/run-checks.ts";

/** Finished parts of a running check, for pages that show its progress. */
export interface CheckProgress {
  /** Records a finished part. It never throws. */
  onPart(part: CheckPart): void;
  /** Resolves when nothing is being written any more. */
  settled(): Promise<void>;
}

/**
 * Writes the finished parts one after the other: parts that end during a write share the next one.
 * @param write may reject: progress is a hint, and the check continues
 */
export function createCheckProgress(write: (done: readonly CheckPart[]) => Promise<void>): CheckProgress {
  const done: CheckPart[] = [];
  let written = 0;
  /** Set while a write is running. */
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    while (written < done.length) {
      written = done.length;
      await write([...done]).catch(() => undefined);
    }
    writing = undefined;
  }

  return {
    onPart(part) {
      done.push(part);
      writing ??= writeAll();
    },
    settled: async () => {
      await writing;
    },
  };
}
