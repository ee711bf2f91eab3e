import { createSealedFields } from "./sealed-fields.ts";

/** Content of a link in a mail about an incident. */
export interface IncidentLink {
  readonly accountId: string;
  readonly incidentId: string;
  /** Recipient of the mail. */
  readonly recipient: string;
  readonly expiresAt: Date;
}

export interface IncidentTokens {
  /** URL-safe, about 200 characters. */
  encode(link: IncidentLink): string;
  /** undefined: it was not created with this secret, or has expired. */
  decode(token: string, now: Date): IncidentLink | undefined;
}

export function createIncidentTokens(secret: Buffer): IncidentTokens {
  const sealed = createSealedFields(secret, "incident");
  return {
    encode: ({ accountId, incidentId, recipient, expiresAt }) =>
      sealed.encode([accountId, incidentId, recipient, String(expiresAt.getTime())]),
    decode(token, now) {
      const [accountId, incidentId, recipient, expires] = sealed.decode(token) ?? [];
      if (!accountId || !incidentId || !recipient || !expires) return undefined;
      const expiresAt = new Date(Number(expires));
      return expiresAt > now ? { accountId, incidentId, recipient, expiresAt } : undefined;
    },
  };
}
