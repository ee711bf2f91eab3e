import type { dmarcSentences as english } from "../../../../../contracts/common/sentences/dmarc-sentences.ts";

/** Results of the checks of DMARC and of transport security, by code. */
export const dmarcSentences: Readonly<Record<keyof typeof english, string>> = {};
