import { phrase } from "../../shared/phrase.ts";
import type { Blacklist, Codes, TestEntry } from "./blacklist.ts";

/** Month of the last review of these lists. */
export const LISTS_VERSION = "2026-11";

const HOUR_MS = 3_600_000;

/**
 * Hermod's own limits for lists that publish none: 2,000 addresses every 2 h are 24,000 queries, 10,000 domains every
 * 6 h are 40,000.
 */
const IP_LIST = { queriesPerDay: 30_000, periodMs: 2 * HOUR_MS, domainName: "registrable" } as const;
const DOMAIN_LIST = { queriesPerDay: 50_000, periodMs: 6 * HOUR_MS, domainName: "registrable" } as const;

// RFC 5782 section 5.
const IP4_TEST: TestEntry = { listed: "127.0.0.2", unlisted: "127.0.0.1" };
const IP6_TEST: TestEntry = { listed: "::ffff:7f00:2", unlisted: "::ffff:7f00:1" };
const DOMAIN_TEST: TestEntry = { listed: "TEST", unlisted: "INVALID" };

const SPAMHAUS_TERMS = { kind: "key", url: "https://www.spamhaus.com" } as const;
const SPAMHAUS_DELIST_URL = "https://check.spamhaus.org";
const IP_REFUSED = "an IP address was queried, but this list contains only domains";

const addresses = (meanings: Readonly<Record<string, string>>): Codes => ({ kind: "addresses", meanings });

/** The same meaning for each last octet in a range. */
function octets(prefix: string, first: number, last: number, meaning: (octet: number) => string): Codes {
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return addresses(Object.fromEntries(all.map((octet) => [`${prefix}.${octet}`, meaning(octet)])));
}

/**
 * The queried lists. Dead lists, lists that list everything and lists that sell removal are excluded: a test names
 * SORBS, NiX Spam and others. Spamhaus is queried only with a key: its public mirrors are for non-commercial use.
 */
export const blacklists: readonly Blacklist[] = [
  {
    ...IP_LIST,
    id: "spamhaus_zen",
    name: "Spamhaus ZEN",
    zone: "<key>.zen.dq.spamhaus.net",
    tests: { ip4: IP4_TEST, ip6: IP6_TEST },
    codes: addresses({
      "127.0.0.2": "SBL: the address sends spam or belongs to a spammer",
      "127.0.0.3": "CSS: the address sends low-reputation mail",
      "127.0.0.4": "XBL: the machine is infected or compromised",
      "127.0.0.5": "XBL: the machine is infected or compromised",
      "127.0.0.6": "XBL: the machine is infected or compromised",
      "127.0.0.7": "XBL: the machine is infected or compromised",
      "127.0.0.9": "DROP: criminals operate the network",
      "127.0.0.10": "PBL: the provider states that the address sends no mail directly",
      "127.0.0.11": "PBL: Spamhaus states that the address sends no mail directly",
      "127.0.0.30": "BCL: the address controls a botnet",
    }),
    refusals: {},
    weight: 10,
    terms: SPAMHAUS_TERMS,
    isOnByDefault: false,
    delistUrl: SPAMHAUS_DELIST_URL,
  },
  {
    ...DOMAIN_LIST,
    id: "spamhaus_dbl",
    name: "Spamhaus DBL",
    zone: "<key>.dbl.dq.spamhaus.net",
    tests: { domain: DOMAIN_TEST },
    codes: addresses({
      "127.0.1.2": "the domain is used for spam",
      "127.0.1.4": "the domain is used for phishing",
      "127.0.1.5": "the domain is used for malware",
      "127.0.1.6": "the domain controls a botnet",
      "127.0.1.102": "the domain is legitimate but abused for spam",
      "127.0.1.103": "the domain is legitimate, but its redirects are abused for spam",
      "127.0.1.104": "the domain is legitimate but abused for phishing",
      "127.0.1.105": "the domain is legitimate but abused for malware",
      "127.0.1.106": "the domain is legitimate but abused to control a botnet",
    }),
    refusals: { "127.0.1.255": IP_REFUSED },
    weight: 10,
    terms: SPAMHAUS_TERMS,
    isOnByDefault: false,
    delistUrl: SPAMHAUS_DELIST_URL,
  },
  {
    ...DOMAIN_LIST,
    id: "spamhaus_zrd",
    name: "Spamhaus ZRD",
    zone: "<key>.zrd.dq.spamhaus.net",
    tests: { domain: DOMAIN_TEST },
    codes: octets("127.0.2", 2, 24, (hours) => `the domain was first seen less than ${hours} hours ago`),
    refusals: { "127.0.2.255": IP_REFUSED },
    weight: 2,
    terms: SPAMHAUS_TERMS,
    isOnByDefault: false,
    delistUrl: SPAMHAUS_DELIST_URL,
    delistAdvice: phrase("list.expires_by_age").text,
  },
  {
    ...IP_LIST,
    id: "spamcop",
    name: "SpamCop",
    zone: "bl.spamcop.net",
    tests: { ip4: IP4_TEST },
    codes: addresses({ "127.0.0.2": "users or spam traps have reported spam from the address" }),
    refusals: {},
    weight: 5,
    terms: { kind: "free", url: "https://www.spamcop.net/bl.shtml" },
    isOnByDefault: true,
    delistUrl: "https://www.spamcop.net/bl.shtml",
    delistAdvice: phrase("list.expires_after_report").text,
  },
  {
    ...IP_LIST,
    id: "psbl",
    name: "PSBL",
    zone: "psbl.surriel.com",
    tests: { ip4: IP4_TEST },
    codes: addresses({ "127.0.0.2": "the address has sent mail to spam traps" }),
    refusals: {},
    weight: 2,
    terms: { kind: "free", url: "https://psbl.org" },
    isOnByDefault: true,
    delistUrl: "https://psbl.org/remove",
  },
  {
    ...IP_LIST,
    id: "mailspike",
    name: "Mailspike",
    zone: "bl.mailspike.net",
    tests: { ip4: IP4_TEST },
    codes: addresses({
      "127.0.0.2": "the address takes part in a wave of spam from infected machines",
      "127.0.0.10": "the address has the worst reputation",
      "127.0.0.11": "the address has a very bad reputation",
      "127.0.0.12": "the address has a bad reputation",
    }),
    refusals: {},
    weight: 5,
    terms: { kind: "free", url: "https://mailspike.io" },
    isOnByDefault: true,
    delistUrl: "https://mailspike.io/ip_verify",
  },
  {
    ...IP_LIST,
    id: "barracuda",
    name: "Barracuda",
    zone: "b.barracudacentral.org",
    tests: { ip4: IP4_TEST },
    codes: addresses({ "127.0.0.2": "the address has a poor reputation" }),
    refusals: {},
    weight: 5,
    terms: { kind: "registration", url: "https://www.barracudacentral.org/rbl" },
    isOnByDefault: false,
    delistUrl: "https://www.barracudacentral.org/rbl/removal-request",
  },
  {
    ...IP_LIST,
    id: "abusix",
    name: "Abusix",
    zone: "<key>.combined.mail.abusix.zone",
    tests: { ip4: IP4_TEST, ip6: IP6_TEST },
    codes: addresses({
      "127.0.0.2": "the address sends spam",
      "127.0.0.3": "the address sends spam",
      "127.0.0.200": "the address sends spam",
      "127.0.0.4": "the machine is infected or compromised",
      "127.0.0.11": "the reverse DNS name of the address is generic",
      "127.0.0.12": "the address has no reverse DNS name",
    }),
    refusals: {},
    weight: 5,
    terms: { kind: "key", url: "https://abusix.com" },
    isOnByDefault: false,
    delistUrl: "https://lookup.abusix.com",
    // The free limit. Higher limits are paid.
    queriesPerDay: 5_000,
  },
  {
    ...IP_LIST,
    id: "spamrats",
    name: "SpamRATS",
    zone: "all.spamrats.com",
    tests: { ip4: IP4_TEST },
    codes: addresses({
      "127.0.0.36": "the address appears to belong to a dial-up network and sends spam",
      "127.0.0.37": "the address has no reverse DNS name and sends suspicious mail",
      "127.0.0.38": "the address sends spam",
      "127.0.0.43": "the address tries to guess passwords of mail servers",
    }),
    refusals: {},
    weight: 2,
    terms: { kind: "registration", url: "https://www.spamrats.com" },
    isOnByDefault: false,
    delistUrl: "https://www.spamrats.com",
  },
  {
    ...IP_LIST,
    id: "validity",
    name: "Validity",
    zone: "bl.score.senderscore.com",
    tests: { ip4: IP4_TEST },
    codes: octets("127.0.0", 2, 26, () => "the address has a bad reputation"),
    refusals: {},
    weight: 5,
    terms: {
      kind: "registration",
      url: "https://knowledge.validity.com/hc/en-us/articles/20961730681243",
    },
    isOnByDefault: false,
    delistUrl: "https://senderscore.org/blacklistlookup/",
  },
  {
    ...DOMAIN_LIST,
    id: "surbl",
    name: "SURBL",
    zone: "multi.surbl.org",
    domainName: "host",
    tests: { domain: DOMAIN_TEST },
    codes: {
      kind: "bits",
      meanings: {
        4: "DM: the domain sends disposable mail",
        8: "PH: the domain is used for phishing",
        16: "MW: the domain is used for malware",
        32: "CT: the domain tracks clicks of spam",
        64: "ABUSE: the domain is advertised by spam",
        128: "CR: the website of the domain was compromised",
      },
      refusalBits: 1,
    },
    refusals: {},
    weight: 5,
    terms: { kind: "registration", url: "https://www.surbl.org" },
    isOnByDefault: false,
    delistUrl: "https://www.surbl.org",
  },
  {
    ...DOMAIN_LIST,
    id: "uribl",
    name: "URIBL",
    zone: "multi.uribl.com",
    tests: { domain: DOMAIN_TEST },
    codes: {
      kind: "bits",
      meanings: {
        2: "black: the domain is advertised by spam",
        4: "grey: the domain appears in bulk mail without consent of all recipients",
        8: "red: the domain is new or watched",
      },
      refusalBits: 1,
    },
    refusals: {},
    weight: 5,
    terms: { kind: "registration", url: "https://uribl.com/refused.shtml" },
    isOnByDefault: false,
    delistUrl: "https://uribl.com",
  },
  {
    ...IP_LIST,
    id: "dronebl",
    name: "DroneBL",
    zone: "dnsbl.dronebl.org",
    tests: { ip4: IP4_TEST },
    codes: { kind: "any", meaning: "the address is abused, as a proxy or by a botnet" },
    refusals: {},
    weight: 0,
    terms: { kind: "free", url: "https://dronebl.org" },
    isOnByDefault: true,
    delistUrl: "https://dronebl.org/lookup",
  },
  {
    ...IP_LIST,
    id: "uceprotect_1",
    name: "UCEPROTECT level 1",
    zone: "dnsbl-1.uceprotect.net",
    tests: { ip4: IP4_TEST },
    codes: { kind: "any", meaning: "the address has sent mail to spam traps" },
    refusals: {},
    weight: 0,
    terms: { kind: "free", url: "https://www.uceprotect.net" },
    isOnByDefault: true,
    delistUrl: "https://www.uceprotect.net",
    delistAdvice: phrase("list.expires").text,
  },
];
