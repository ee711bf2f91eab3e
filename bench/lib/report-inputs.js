import { blacklists } from "../../dist/src/intel/blacklists/blacklists.js";
import { catalogue } from "../../dist/src/intel/catalogue.js";
import { outcomesOf } from "../../dist/src/intel/score/outcomes.js";
import { scoreOf } from "../../dist/src/intel/score/score.js";
import { severityOf } from "../../dist/src/intel/severity.js";

const DAY_MS = 86_400_000;
const DAYS = 31;
const TO = new Date("2026-11-23T00:00:00Z");
const FROM = new Date(TO.getTime() - DAYS * DAY_MS);
const LISTS = ["spamcop", "psbl"];
const CLIENT = { id: "cl_01k9z4c3r8h2v6y0n5t7w1x3q9", name: "Nordwind AG" };
const PROVIDERS = ["gmail", "outlook", "yahoo", "other"];

/** Problems of five kinds of domains in turn. @type {readonly Record<string, string>[]} */
const KINDS = [
  {},
  { "auth.dmarc.policy": "warn", "transport.tlsrpt": "warn" },
  { "auth.spf.lookups": "fail", "auth.dmarc.policy": "fail", "bl.spamcop": "fail" },
  { "auth.dmarc.exists": "fail", "auth.dkim.strength": "warn", "transport.cert_expiry": "warn" },
  { "transport.starttls": "error", "infra.dnssec": "not_tested", "auth.spf.all": "warn" },
];

/**
 * Inputs of a report of this many domains and a month, with all its sections.
 * @param {number} count
 * @returns {any}
 */
export function reportInputs(count) {
  const domains = Array.from({ length: count }, (_, n) => domainOf(n));
  const [first] = domains;
  const one = first && { type: "domain", id: first.id, name: first.name };
  return {
    id: "rpt_01k9z4c3r8h2v6y0n5t7w1x3q9",
    generatedAt: TO,
    scope: count === 1 ? one : { type: "client", ...CLIENT },
    period: { from: FROM, to: TO },
    timezone: "Europe/Berlin",
    locale: "en-GB",
    branding: { name: "Muster AG", color: "#0b5394" },
    domains,
    lists: blacklists.filter(({ id }) => LISTS.includes(id)).map((list) => ({ list })),
    standings: domains.flatMap(standingsOf),
    listingEvents: [],
    sending: domains.flatMap(sendingOf),
    dmarc: domains.flatMap(dmarcOf),
    method: { resolver: "the resolver at 192.0.2.53", listsVersion: "2026-11-23" },
  };
}

/** @param {number} n */
function domainOf(n) {
  const but = KINDS[n % KINDS.length] ?? {};
  const blacklistWeights = { "bl.spamcop": 5, "bl.psbl": 2 };
  const ids = [...Object.keys(catalogue), ...Object.keys(blacklistWeights)];
  const results = ids.map((id) => resultOf(id, but[id] ?? "pass", `domain${n}.example`));
  const known = /** @type {any} */ ({ role: "sending", results, lastResults: {}, blacklistWeights });
  const outcomes = outcomesOf(known);
  const { score, scoreModel } = scoreOf(outcomes);
  return {
    ...known,
    id: `dom_${n}`,
    name: `domain${n}.example`,
    client: CLIENT,
    isPaused: false,
    checkedAt: new Date(TO.getTime() - (n % 360) * 60_000),
    history: Array.from({ length: DAYS + 1 }, (_, day) => ({
      at: new Date(FROM.getTime() + (day - 0.5) * DAY_MS),
      score: day >= DAYS - 2 ? score : 70 + ((n + day) % 20),
      coverage: 0.95,
      scoreModel,
    })),
    findings: outcomes.flatMap((outcome, place) => {
      const severity = severityOf(outcome);
      const openedAt = new Date(TO.getTime() - (place + 3) * DAY_MS);
      return severity ? [{ checkId: outcome.id, severity, openedAt }] : [];
    }),
    statusChanges: [],
    sendingFacts: { peakPerDay: { gmail: 6_200, outlook: 800 }, usesTls: true },
  };
}

/** @param {string} id @param {string} status @param {string} domain */
function resultOf(id, status, domain) {
  const isBad = status === "warn" || status === "fail";
  const record = { name: domain, type: "TXT", value: "v=spf1 include:_spf.provider1.example -all" };
  const fix = { text: "Publish this record in place of the present one, once all mail passes.", record };
  const observed = isBad
    ? "The record does not meet the requirements of receivers, which may reject the mail."
    : "There is no problem.";
  return { id, status, observed, expected: "The record meets the standard.", ...(isBad && { fix }) };
}

/** @param {number} n */
function addressOf(n) {
  return `198.51.${100 + (n >> 8)}.${n & 255}`;
}

/** @param {{ id: string }} domain @param {number} n */
function standingsOf({ id }, n) {
  const last = { at: new Date(TO.getTime() - 3_600_000), evidence: [] };
  const listing = {
    firstSeenAt: FROM,
    lastSeenAt: TO,
    text: "Blocked",
    codes: [{ code: "127.0.0.2", meaning: "its users reported spam from the address" }],
  };
  return LISTS.map((listId) => {
    const isListed = listId === "spamcop" && n % KINDS.length === 2;
    const standing = isListed
      ? { holds: "listed", listing, last: { ...last, state: "listed" } }
      : { holds: "clean", last: { ...last, state: "clean" } };
    return { listId, subject: addressOf(n), domainIds: [id], standing };
  });
}

/** @param {{ id: string }} domain @param {number} n */
function sendingOf({ id: domainId }, n) {
  return PROVIDERS.map((provider, place) => {
    const sent = 10_000 + ((n * 7_919 + place) % 50_000);
    const [bounced, complained] = [Math.round(sent / 90), Math.round(sent / 2_000)];
    const delivered = sent - bounced;
    return { domainId, provider, sent, delivered, bounced, complained, complaintsOf: delivered };
  });
}

/** @param {{ name: string }} domain @param {number} n */
function dmarcOf({ name: policyDomain }, n) {
  const sources = [addressOf(n), "203.0.113.77", "203.0.113.80"];
  return sources.map((sourceIp, place) => {
    const [messages, failing] = [9_000 - 4_000 * place, place * 300];
    return {
      policyDomain,
      day: `2026-11-0${2 + place}`,
      sourceIp,
      senders: place === 0 ? ["Amazon SES"] : [],
      messages,
      overridden: 0,
      dispositions: { none: messages - failing, quarantine: failing, reject: 0, other: 0 },
      alignment: { both: messages - failing, dkim: 0, spf: 0, none: failing },
    };
  });
}
