/** Only this many first characters of a search text are used. */
export const MAX_SEARCH_LENGTH = 30;

/** Search keys of a name: its suffixes from the beginning of each part. */
function beginnings(parts: readonly string[]): string[] {
  const keys = new Set<string>();
  for (const part of parts) {
    const characters = [...part].slice(0, MAX_SEARCH_LENGTH);
    for (let length = 1; length <= characters.length; length++)
      keys.add(characters.slice(0, length).join(""));
  }
  return [...keys];
}

/** Normalizes a name for comparison: case, width and composition of letters are ignored. */
export function foldName(name: string): string {
  return name.normalize("NFKC").toLowerCase().normalize("NFKC").trim().replace(/\s+/gu, " ");
}

/** For a name of several words: its suffixes from each word on. */
export function wordKeys(name: string): string[] {
  const words = foldName(name).split(" ");
  return beginnings(words.map((_, index) => words.slice(index).join(" ")));
}

/** For a domain, in A-labels and in readable form: its suffixes from each label on. */
export function domainKeys(...names: readonly string[]): string[] {
  return beginnings(
    names.flatMap((name) => {
      const labels = foldName(name).split(".");
      return labels.map((_, index) => labels.slice(index).join("."));
    }),
  );
}

/** The key for a search text. */
export function searchKey(text: string): string {
  return [...foldName(text)].slice(0, MAX_SEARCH_LENGTH).join("");
}
