import { printable } from "./output/text.ts";

/** Some of several things were done before one failed. */
export class PartialFailure extends Error {
  /** What was thrown for the one that failed. */
  readonly thrown: unknown;
  /** What was done, and what was not: for people. */
  readonly note: string;

  constructor(thrown: unknown, note: string) {
    super(note, { cause: thrown });
    this.name = "PartialFailure";
    this.thrown = thrown;
    this.note = note;
  }
}

/**
 * Puts what a file has, one after the other. What is refused ends it, and those before it stand.
 * @throws PartialFailure where there are several, else what `put` throws
 */
export async function putEach<T extends { readonly name: string }>(
  things: readonly T[],
  put: (thing: T) => Promise<void>,
): Promise<void> {
  for (const [index, thing] of things.entries()) {
    try {
      await put(thing);
    } catch (thrown) {
      if (things.length === 1) throw thrown;
      const at = `It ended at ${printable(thing.name)}, ${index + 1} of ${things.length}.`;
      const before = `Put before it: ${namesOf(things.slice(0, index))}.`;
      throw new PartialFailure(thrown, `${at} ${before} Not tried: ${namesOf(things.slice(index + 1))}.`);
    }
  }
}

const MAX_NAMES = 20;

function namesOf(things: readonly { readonly name: string }[]): string {
  if (things.length === 0) return "none";
  const names = things.slice(0, MAX_NAMES).map(({ name }) => printable(name));
  const more = things.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
