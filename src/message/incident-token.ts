import { createSealedFields } from "./sealed-fields.ts";

/** What a link in a mail about an incident stands for. */
export interface IncidentLink {
  readonly accountId: string;
  readonly incidentId: string;
  /** Whom the mail went to. */
  readonly recipient: string;
  readonly expiresAt: Date;
}

export interface IncidentTokens {
  /** URL-safe, of some 200 characters. */
  encode(link: IncidentLink): string;
  /** undefined: it was not made with this secret, or has run out. */
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
