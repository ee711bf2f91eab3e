/** Languages of the pages. */
export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];

const STORED = "hermod-language";

/** The language that the user has chosen in this browser; empty: the first language of the browser that Hermod has. */
export const chosenLanguage: Language | "" = readStored();

/** The language of the page. */
export const language: Language = chosenLanguage || languageFor(ofBrowser());

/** The language and region in which dates are written. */
export const dateLocale = { en: "en-GB", de: "de-DE" }[language];

/** The first of the wanted languages that the pages have; English if they have none. @param wanted as `de-AT` */
export function languageFor(wanted: readonly string[]): Language {
  return (
    wanted.map((tag) => languages.find((one) => one === tag.split("-")[0]?.toLowerCase())).find(Boolean) ??
    "en"
  );
}

/** Takes effect when the page loads again. @param chosen empty: the language of the browser */
export function chooseLanguage(chosen: Language | ""): void {
  if (chosen === "") localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, chosen);
}

function readStored(): Language | "" {
  const stored = typeof localStorage === "undefined" ? null : localStorage.getItem(STORED);
  return languages.find((one) => one === stored) ?? "";
}

function ofBrowser(): readonly string[] {
  return typeof document === "undefined" ? [] : navigator.languages;
}
