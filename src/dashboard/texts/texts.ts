import { en } from "./en.ts";
import type { Texts } from "./of-language.ts";

/** All texts of the pages, in one language. */
export type PageTexts = Texts<typeof en>;

/** The texts in the language of the page. Modules of pages read them as they load, after `setTexts`. */
export let t: PageTexts = en;

export function setTexts(texts: PageTexts): void {
  t = texts;
}
