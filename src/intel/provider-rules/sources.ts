/**
 * The providers' own pages with their requirements. Findings and reports cite no other pages: a third-party summary
 * may be outdated.
 */
export const providerSources = {
  /** "Email sender guidelines": rules for all senders, and for bulk senders. */
  gmail_guidelines: { url: "https://support.google.com/a/answer/81126", checkedAt: "2026-11-26" },
  /** "Email sender guidelines FAQ": volume of a bulk sender, complaint rates, 48 hours for unsubscribing. */
  gmail_questions: { url: "https://support.google.com/a/answer/14229414", checkedAt: "2026-11-26" },
  /** "Sender requirements and recommendations" of the Sender Hub. */
  yahoo_best_practices: { url: "https://senders.yahooinc.com/best-practices/", checkedAt: "2026-11-26" },
  /**
   * "Strengthening email ecosystem: Outlook's new requirements for high-volume senders". The URL contains the title's
   * own apostrophe and hyphen.
   */
  outlook_high_volume: {
    url: "https://techcommunity.microsoft.com/blog/microsoftdefenderforoffice365blog/strengthening-email-ecosystem-outlook%E2%80%99s-new-requirements-for-high%E2%80%90volume-senders/4399730",
    checkedAt: "2026-11-26",
  },
} as const;

export type ProviderSource = keyof typeof providerSources;

export function citation(name: ProviderSource): { readonly source: string; readonly ruleCheckedAt: string } {
  const { url, checkedAt } = providerSources[name];
  return { source: url, ruleCheckedAt: checkedAt };
}
