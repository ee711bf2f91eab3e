import { createSealedFields } from "./sealed-fields.ts";

/** A link that opens a report. */
export interface ReportLinkKey {
  readonly accountId: string;
  readonly linkId: string;
}

export interface ReportLinkTokens {
  /** URL-safe, about 120 characters. */
  encode(key: ReportLinkKey): string;
  /** undefined for a token that was not created with this secret. */
  decode(token: string): ReportLinkKey | undefined;
}

/** Tokens of links to reports. The validity of a link is stored, so that it can be revoked. */
export function createReportLinkTokens(secret: Buffer): ReportLinkTokens {
  const sealed = createSealedFields(secret, "report link");
  return {
    encode: ({ accountId, linkId }) => sealed.encode([accountId, linkId]),
    decode(token) {
      const [accountId, linkId] = sealed.decode(token) ?? [];
      return accountId && linkId ? { accountId, linkId } : undefined;
    },
  };
}
