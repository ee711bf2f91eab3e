import { createSealedFields } from "./sealed-fields.ts";

/** A link to the DNS records of a domain. */
export interface DomainLink {
  readonly accountId: string;
  readonly domain: string;
  /** Names the link: a domain has one at a time. */
  readonly linkId: string;
}

export interface DomainLinkTokens {
  /** URL-safe, of some 150 characters. */
  encode(link: DomainLink): string;
  /** undefined for what was not made with this secret. */
  decode(token: string): DomainLink | undefined;
}

/** Tokens of links to DNS records. Whether a link holds is stored with its domain, so that it can be withdrawn. */
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
