/**
 * What a domain is for:
 *
 * - `sending`: mail leaves in its name
 * - `receiving`: it takes mail, and none leaves in its name
 * - `parked`: neither, and it should say so
 */
export const domainRoles = ["sending", "receiving", "parked"] as const;
export type DomainRole = (typeof domainRoles)[number];

/** Kinds of checks; a domain's score weighs them. */
export const checkCategories = ["auth", "transport", "infra", "reputation"] as const;
export type CheckCategory = (typeof checkCategories)[number];

export interface CatalogueEntry {
  readonly category: CheckCategory;
  /** Points that it can give: 10, 5, 2; 0: it only informs. */
  readonly weight: 10 | 5 | 2 | 0;
  readonly title: string;
  /** Where it is written. */
  readonly reference: string;
  /** Without this one having passed, or warned, it gives no points, and counts all the same. */
  readonly needs?: string;
}

const entriesOf =
  <Category extends CheckCategory>(category: Category) =>
  (weight: CatalogueEntry["weight"], title: string, reference: string, needs?: string) =>
    ({ category, weight, title, reference, ...(needs !== undefined && { needs }) }) as const;
const auth = entriesOf("auth");
const transport = entriesOf("transport");
const infra = entriesOf("infra");
const reputation = entriesOf("reputation");

/** Every check, with its weight in the score model 2. Blacklists are checks of their own: `bl.` and the list's id. */
export const catalogue = {
  "auth.spf.exists": auth(10, "There is an SPF record", "RFC 7208 section 3"),
  "auth.spf.single": auth(10, "There is one SPF record only", "RFC 7208 section 4.5", "auth.spf.exists"),
  "auth.spf.syntax": auth(10, "The SPF record can be read", "RFC 7208 section 5", "auth.spf.single"),
  "auth.spf.lookups": auth(
    10,
    "SPF needs ten DNS lookups at most",
    "RFC 7208 section 4.6.4",
    "auth.spf.single",
  ),
  "auth.spf.voids": auth(
    10,
    "SPF asks for two names at most that have nothing",
    "RFC 7208 section 4.6.4",
    "auth.spf.single",
  ),
  "auth.spf.all": auth(
    5,
    "SPF says what becomes of other senders",
    "RFC 7208 section 5.1",
    "auth.spf.single",
  ),
  "auth.spf.senders": auth(
    10,
    "SPF passes for every sending address",
    "RFC 7208 section 2.6",
    "auth.spf.single",
  ),
  "auth.spf.after_all": auth(2, "Nothing follows all", "RFC 7208 section 5.1", "auth.spf.single"),
  "auth.spf.ptr": auth(2, "SPF does without ptr", "RFC 7208 section 5.5", "auth.spf.single"),
  "auth.spf.redirect_ignored": auth(
    2,
    "redirect does not stand beside all",
    "RFC 7208 section 6.1",
    "auth.spf.single",
  ),
  "auth.spf.type99": auth(0, "SPF is a TXT record", "RFC 7208 section 3.1"),
  "auth.spf.size": auth(0, "The SPF record fits into one packet", "RFC 7208 section 3.4", "auth.spf.exists"),
  "auth.dkim.key": auth(10, "The DKIM key of each selector is there", "RFC 6376 section 3.6"),
  "auth.dkim.strength": auth(5, "DKIM keys are strong enough", "RFC 8301 section 3.2", "auth.dkim.key"),
  "auth.dkim.testing": auth(2, "DKIM is not in testing mode", "RFC 6376 section 3.6.1", "auth.dkim.key"),
  "auth.dmarc.exists": auth(10, "There is a DMARC record", "RFC 9989 section 4.10"),
  "auth.dmarc.valid": auth(10, "The DMARC record can be read", "RFC 9989 section 4.7", "auth.dmarc.exists"),
  "auth.dmarc.policy": auth(
    10,
    "DMARC asks for quarantine or rejection",
    "RFC 9989 section 4.7",
    "auth.dmarc.valid",
  ),
  "auth.dmarc.subdomains": auth(
    2,
    "Subdomains have no weaker policy",
    "RFC 9989 section 4.7",
    "auth.dmarc.valid",
  ),
  "auth.dmarc.rua": auth(2, "DMARC reports are asked for", "RFC 9990 section 3", "auth.dmarc.valid"),
  "auth.dmarc.rua_authorised": auth(
    2,
    "Reports may go where they are asked for",
    "RFC 9990 section 4",
    "auth.dmarc.rua",
  ),
  "auth.dmarc.removed_tags": auth(
    0,
    "DMARC does without tags that have no meaning any more",
    "RFC 9989 section 4.7",
    "auth.dmarc.valid",
  ),
  // It is a fact of the mail and needs no DMARC record: else to delete that record would lift the cap of mail that is not
  // aligned.
  "auth.dmarc.alignment": auth(10, "Mail is aligned with the domain", "RFC 9989 section 4.4"),
  "transport.starttls": transport(10, "Mail servers offer STARTTLS", "RFC 3207"),
  "transport.cert_trust": transport(
    5,
    "Certificates of mail servers are trusted",
    "RFC 5280",
    "transport.starttls",
  ),
  "transport.cert_name": transport(5, "Certificates name the mail servers", "RFC 9525", "transport.starttls"),
  "transport.cert_expiry": transport(
    5,
    "Certificates of mail servers last",
    "RFC 5280 section 4.1.2.5",
    "transport.starttls",
  ),
  "transport.tls_version": transport(
    5,
    "Mail servers speak TLS 1.2 or later",
    "RFC 8996",
    "transport.starttls",
  ),
  // MTA-STS is optional. Its three checks weigh about as much as one of 5, and count also where there is no record: else to
  // delete the record of a broken policy would raise the score.
  "transport.mta_sts.record": transport(2, "There is an MTA-STS record", "RFC 8461 section 3.1"),
  "transport.mta_sts.policy": transport(
    2,
    "The MTA-STS policy can be fetched and read",
    "RFC 8461 section 3.2",
    "transport.mta_sts.record",
  ),
  "transport.mta_sts.mx": transport(
    2,
    "The MTA-STS policy names every mail server",
    "RFC 8461 section 4.1",
    "transport.mta_sts.policy",
  ),
  "transport.tlsrpt": transport(2, "TLS reports are asked for", "RFC 8460 section 3"),
  "transport.dane": transport(5, "TLSA records match the certificates", "RFC 7672"),
  "infra.mx.resolves": infra(10, "Mail servers have addresses", "RFC 5321 section 5.1"),
  "infra.mx.answers": infra(10, "Mail servers answer", "RFC 5321 section 4.3.2", "infra.mx.resolves"),
  "infra.mx.cname": infra(5, "Mail servers are no aliases", "RFC 2181 section 10.3"),
  "infra.mx.null": infra(10, "The domain says how it takes mail, or that it takes none", "RFC 7505"),
  "infra.dnssec": infra(2, "The zone is signed, and its signatures are valid", "RFC 4035"),
  "infra.caa": infra(0, "CAA says who may issue certificates", "RFC 8659"),
  "infra.ipv6": infra(0, "Mail servers answer over IPv6", "RFC 3596"),
  "infra.expiry": infra(2, "The domain is registered for a while", "RFC 9083 section 4.5"),
  "reputation.ptr": reputation(10, "Sending addresses have names", "RFC 1912 section 2.1"),
  "reputation.fcrdns": reputation(
    10,
    "Names of sending addresses lead back to them",
    "RFC 1912 section 2.1",
    "reputation.ptr",
  ),
  "reputation.ehlo": reputation(
    5,
    "EHLO says the name of the sending address",
    "RFC 5321 section 4.1.1.1",
    "reputation.ptr",
  ),
  "reputation.bimi": reputation(
    0,
    "The mark of the domain can be shown (BIMI)",
    "draft-brand-indicators-for-message-identification",
  ),
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

/** A check of the catalogue, or one of a blacklist. */
export type CheckId = keyof typeof catalogue | `bl.${string}`;
