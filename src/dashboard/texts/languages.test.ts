import { describe, expect, it } from "vitest";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { languageFor } from "./language.ts";

/** Texts and functions by their path, as `messages.title`. */
function leaves(texts: object, path = ""): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [key, value] of Object.entries(texts)) {
    const at = path === "" ? key : `${path}.${key}`;
    if (typeof value === "object") for (const leaf of leaves(value, at)) found.set(...leaf);
    else found.set(at, value);
  }
  return found;
}

const [english, german] = [leaves(en), leaves(de)];

/** Texts that only German pages have: those of the API, which is English. */
const ofApi = (path: string) => /^(faults|sentences|server)\./.test(path);

describe("the texts of the pages", () => {
  it("have the same keys in both languages", () => {
    expect([...english.keys()].filter((path) => !german.has(path))).toEqual([]);
    expect([...german.keys()].filter((path) => !english.has(path) && !ofApi(path))).toEqual([]);
  });

  it("have the same parameters in both languages", () => {
    const kind = (text: unknown) => (typeof text === "function" ? `function of ${text.length}` : typeof text);
    const different = [...english].filter(([path, text]) => kind(text) !== kind(german.get(path)));
    expect(different.map(([path]) => path)).toEqual([]);
  });

  it("differ, unless both languages have the same word", () => {
    const same = [...english].filter(([path, text]) => String(text) === String(german.get(path)));
    const sentences = same.filter(([, text]) => / [a-z]{3,} /.test(String(text)));
    expect(sentences.map(([path]) => path)).toEqual([]);
  });

  it("have German quotes and no English ones", () => {
    const wrong = [...german].filter(([, text]) => /[“][A-Za-z]|\w"\w/.test(String(text)));
    expect(wrong.map(([path]) => path)).toEqual([]);
  });
});

describe("the language of the pages", () => {
  it.each([
    [["de-AT", "en"], "de"],
    [["fr", "de"], "de"],
    [["en-GB", "de"], "en"],
    [["DE"], "de"],
    [["fr-CH"], "en"],
    [[], "en"],
  ] as const)("for a browser with %j is %s", (wanted, language) => {
    expect(languageFor(wanted)).toBe(language);
  });
});
