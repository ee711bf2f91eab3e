import type { hostSentences as english } from "../../../../../contracts/common/sentences/host-sentences.ts";

/** Results of the checks of mail servers, blacklists and the zone, by code. */
export const hostSentences: Readonly<Record<keyof typeof english, string>> = {};
