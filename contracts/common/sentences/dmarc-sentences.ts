/** Results of the checks of DMARC and of transport security, by code. */
export const dmarcSentences = {} as const;
