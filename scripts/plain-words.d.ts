type Fault = "opener" | "word";

interface Sentence {
  readonly file: string;
  readonly kind: "comment" | "text" | "test name" | "prose";
  readonly sentence: string;
  readonly fault?: Fault;
  /** Missing: it has no fault. */
  readonly line?: number;
}

interface Count {
  readonly opener: number;
  readonly word: number;
}

/** File of the budgets. */
export const BUDGETS: string;
/** Sentences of a passage. */
export function sentencesOf(text: string): string[];
export function faultOf(sentence: string): Fault | undefined;
/** Files with text that is written by hand. */
export function ownFiles(folders?: readonly string[]): string[];
export function sentencesIn(file: string): Sentence[];
export function countByFolder(
  sentences: readonly Sentence[],
): Map<string, Count & { readonly sentences: number }>;
/** Faulty sentences by folder and kind of text, without folders that have none. */
export function budgetsOf(counts: ReadonlyMap<string, Count>): Readonly<Record<string, Count>>;
