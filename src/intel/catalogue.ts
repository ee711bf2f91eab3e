/**
 * Role of a domain:
 *
 * - `sending`: mail is sent in its name
 * - `receiving`: it receives mail, and no mail is sent in its name
 * - `parked`: it neither sends nor receives mail, and should publish that
 */
export const domainRoles = ["sending", "receiving", "parked"] as const;
export type DomainRole = (typeof domainRoles)[number];

/** Categories of checks. The score of a domain weights them. */
export const checkCategories = ["auth", "transport", "infra", "reputation"] as const;
export type CheckCategory = (typeof checkCategories)[number];

export interface CatalogueEntry {
  readonly category: CheckCategory;
  /** Points that the check can give: 10, 5 or 2. 0: the check is informational. */
  readonly weight: 10 | 5 | 2 | 0;
  readonly title: string;
  /** Specification of the checked property. */
  readonly reference: string;
  /** Check that must pass or warn first. Otherwise this check gives no points, but its weight still counts. */
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

/** Every check with its weight in score model 2. Each blacklist has its own check: `bl.` and the id of the list. */
export const catalogue = {
  "auth.spf.exists": auth(10, "There is an SPF record", "RFC 7208 section 3"),
  "auth.spf.single": auth(10, "There is only one SPF record", "RFC 7208 section 4.5", "auth.spf.exists"),
  "auth.spf.syntax": auth(10, "The SPF record is valid", "RFC 7208 section 5", "auth.spf.single"),
  "auth.spf.lookups": auth(
    10,
    "SPF needs at most ten DNS lookups",
    "RFC 7208 section 4.6.4",
    "auth.spf.single",
  ),
  "auth.spf.voids": auth(10, "SPF has at most two void lookups", "RFC 7208 section 4.6.4", "auth.spf.single"),
  "auth.spf.all": auth(5, "SPF has a policy for other senders", "RFC 7208 section 5.1", "auth.spf.single"),
  "auth.spf.senders": auth(
    10,
    "SPF passes for every sending address",
    "RFC 7208 section 2.6",
    "auth.spf.single",
  ),
  "auth.spf.after_all": auth(2, "No SPF mechanism follows all", "RFC 7208 section 5.1", "auth.spf.single"),
  "auth.spf.ptr": auth(2, "SPF does not use ptr", "RFC 7208 section 5.5", "auth.spf.single"),
  "auth.spf.redirect_ignored": auth(
    2,
    "SPF does not combine redirect with all",
    "RFC 7208 section 6.1",
    "auth.spf.single",
  ),
  "auth.spf.type99": auth(0, "SPF is a TXT record", "RFC 7208 section 3.1"),
  "auth.spf.size": auth(0, "The SPF record fits into one packet", "RFC 7208 section 3.4", "auth.spf.exists"),
  "auth.dkim.key": auth(10, "Each DKIM selector has a key", "RFC 6376 section 3.6"),
  "auth.dkim.strength": auth(5, "DKIM keys are strong enough", "RFC 8301 section 3.2", "auth.dkim.key"),
  "auth.dkim.testing": auth(2, "DKIM is not in testing mode", "RFC 6376 section 3.6.1", "auth.dkim.key"),
  "auth.dmarc.exists": auth(10, "There is a DMARC record", "RFC 9989 section 4.10"),
  "auth.dmarc.valid": auth(10, "The DMARC record is valid", "RFC 9989 section 4.7", "auth.dmarc.exists"),
  "auth.dmarc.policy": auth(
    10,
    "The DMARC policy is quarantine or reject",
    "RFC 9989 section 4.7",
    "auth.dmarc.valid",
  ),
  "auth.dmarc.subdomains": auth(
    2,
    "Subdomains have no weaker DMARC policy",
    "RFC 9989 section 4.7",
    "auth.dmarc.valid",
  ),
  "auth.dmarc.rua": auth(2, "DMARC reports are requested", "RFC 9990 section 3", "auth.dmarc.valid"),
  "auth.dmarc.rua_authorised": auth(
    2,
    "Report addresses are authorized for DMARC reports",
    "RFC 9990 section 4",
    "auth.dmarc.rua",
  ),
  "auth.dmarc.removed_tags": auth(
    0,
    "The DMARC record has no removed tags",
    "RFC 9989 section 4.7",
    "auth.dmarc.valid",
  ),
  // Alignment is a fact of the mail and needs no DMARC record. Otherwise, deletion of that record would lift the cap for
  // unaligned mail.
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
    "Certificates of mail servers do not expire soon",
    "RFC 5280 section 4.1.2.5",
    "transport.starttls",
  ),
  "transport.tls_version": transport(
    5,
    "Mail servers speak TLS 1.2 or later",
    "RFC 8996",
    "transport.starttls",
  ),
  // MTA-STS is optional. Its three checks weigh about as much as one check with weight 5. They also count without a
  // record: otherwise, deletion of a broken record would raise the score.
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
  "transport.tlsrpt": transport(2, "TLS reports are requested", "RFC 8460 section 3"),
  "transport.dane": transport(5, "TLSA records match the certificates", "RFC 7672"),
  "infra.mx.resolves": infra(10, "Mail servers have addresses", "RFC 5321 section 5.1"),
  "infra.mx.answers": infra(10, "Mail servers answer", "RFC 5321 section 4.3.2", "infra.mx.resolves"),
  "infra.mx.cname": infra(5, "Mail server names are not aliases", "RFC 2181 section 10.3"),
  "infra.mx.null": infra(10, "The domain has MX records or declares that it receives no mail", "RFC 7505"),
  "infra.dnssec": infra(2, "The zone is signed with valid DNSSEC signatures", "RFC 4035"),
  "infra.caa": infra(0, "CAA records limit who may issue certificates", "RFC 8659"),
  "infra.ipv6": infra(0, "Mail servers answer over IPv6", "RFC 3596"),
  "infra.expiry": infra(2, "The domain registration does not expire soon", "RFC 9083 section 4.5"),
  "reputation.ptr": reputation(10, "Sending addresses have reverse DNS names", "RFC 1912 section 2.1"),
  "reputation.fcrdns": reputation(
    10,
    "Reverse DNS names resolve to the sending addresses",
    "RFC 1912 section 2.1",
    "reputation.ptr",
  ),
  "reputation.ehlo": reputation(
    5,
    "EHLO uses the reverse DNS name of the sending address",
    "RFC 5321 section 4.1.1.1",
    "reputation.ptr",
  ),
  "reputation.bimi": reputation(
    0,
    "The logo of the domain can be shown (BIMI)",
    "draft-brand-indicators-for-message-identification",
  ),
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

/** Id of a check of the catalogue or of a blacklist. */
export type CheckId = keyof typeof catalogue | `bl.${string}`;
