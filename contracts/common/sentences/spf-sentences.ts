/** Results of the checks of SPF, DKIM and BIMI, by code. */
export const spfSentences = {} as const;
