import type { spfSentences as english } from "../../../../../contracts/common/sentences/spf-sentences.ts";

/** Results of the checks of SPF, DKIM and BIMI, by code. */
export const spfSentences: Readonly<Record<keyof typeof english, string>> = {};
