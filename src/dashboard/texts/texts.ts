import { en } from "./en.ts";

/** The words of all pages, in one language. */
export type Texts = typeof en;

/** The texts of the language that the page is shown in. */
export const t: Texts = en;
