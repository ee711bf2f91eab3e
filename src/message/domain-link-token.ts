import { createSealedFields } from "./sealed-fields.ts";

/** A link to the DNS records of a domain. */
export interface DomainLink {
  readonly accountId: string;
  readonly domain: string;
  /** Id of the link: a domain has at most one link. */
  readonly linkId: string;
}

export interface DomainLinkTokens {
  /** URL-safe, about 150 characters. */
  encode(link: DomainLink): string;
  /** undefined for a token that was not created with this secret. */
  decode(token: string): DomainLink | undefined;
}

/** Tokens of links to DNS records. The validity of a link is stored with its domain, so that it can be revoked. */
export function createDomainLinkTokens(secret: Buffer): DomainLinkTokens {
  const sealed = createSealedFields(secret, "domain link");
  return {
    encode: ({ accountId, domain, linkId }) => sealed.encode([accountId, domain, linkId]),
    decode(token) {
      const [accountId, domain, linkId] = sealed.decode(token) ?? [];
      return accountId && domain && linkId ? { accountId, domain, linkId } : undefined;
    },
  };
}
