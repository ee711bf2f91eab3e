/** Results of the checks of mail servers, blacklists and the zone, by code. */
export const hostSentences = {} as const;
