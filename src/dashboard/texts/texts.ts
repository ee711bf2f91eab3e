import { en } from "./en.ts";

/** All texts of the pages, in one language. */
export type Texts = typeof en;

/** The texts in the language of the page. */
export const t: Texts = en;
