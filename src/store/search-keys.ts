/** Longer texts are searched for by their first characters. */
export const MAX_SEARCH_LENGTH = 30;

/** What a name is found by: every beginning of every one of its parts, with what follows that. */
function beginnings(parts: readonly string[]): string[] {
  const keys = new Set<string>();
  for (const part of parts) {
    const characters = [...part].slice(0, MAX_SEARCH_LENGTH);
    for (let length = 1; length <= characters.length; length++)
      keys.add(characters.slice(0, length).join(""));
  }
  return [...keys];
}

/** A name as it is compared: capitals, widths and compositions of letters do not count. */
export function foldName(name: string): string {
  return name.normalize("NFKC").toLowerCase().normalize("NFKC").trim().replace(/\s+/gu, " ");
}

/** Of a name of several words: the rest of it from each word on. */
export function wordKeys(name: string): string[] {
  const words = foldName(name).split(" ");
  return beginnings(words.map((_, index) => words.slice(index).join(" ")));
}

/** Of a domain, in A-labels and as people read it: the rest of it from each label on. */
export function domainKeys(...names: readonly string[]): string[] {
  return beginnings(
    names.flatMap((name) => {
      const labels = foldName(name).split(".");
      return labels.map((_, index) => labels.slice(index).join("."));
    }),
  );
}

/** What is looked for among them. */
export function searchKey(text: string): string {
  return [...foldName(text)].slice(0, MAX_SEARCH_LENGTH).join("");
}
