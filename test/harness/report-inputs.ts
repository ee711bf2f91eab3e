import { blacklists } from "../../src/intel/blacklists/blacklists.ts";
import type { CheckId, DomainRole } from "../../src/intel/catalogue.ts";
import type { CheckResult } from "../../src/intel/check-result.ts";
import type {
  ReportDomain,
  ReportInputs,
  ReportStanding,
  SendingFigures,
} from "../../src/intel/reports/report-inputs.ts";
import { outcomesOf } from "../../src/intel/score/outcomes.ts";
import { scoreOf } from "../../src/intel/score/score.ts";
import { severityOf } from "../../src/intel/severity.ts";
import type { DailyRollup } from "../../src/rollups/daily-rollup.ts";
import { domainResults, type Statuses } from "./domain-results.ts";

const DAY_MS = 86_400_000;
const listIds = ["spamcop", "psbl", "spamhaus_zen"];
export const reportTime = new Date("2026-11-23T07:30:00.000Z");
const FROM = new Date("2026-10-23T22:00:00.000Z");
const TO = new Date("2026-11-22T23:00:00.000Z");

/** Names that must not break a document. */
export const hostileName = `"><script>alert(1)</script><img src=x onerror=alert(1)>'\u202egnp`;

interface Kind {
  readonly role?: DomainRole;
  readonly but: Statuses;
  readonly trend: readonly number[];
}

const kinds: readonly Kind[] = [
  { but: { "auth.dmarc.policy": "warn", "transport.tlsrpt": "warn" }, trend: [83, 83, 86, 91, 92] },
  {
    but: {
      "auth.spf.lookups": "fail",
      "auth.dmarc.policy": "fail",
      "bl.spamcop": "fail",
      "transport.dane": "not_tested",
    },
    trend: [71, 64, 64, 58, 61],
  },
  {
    but: { "auth.dmarc.exists": "fail", "auth.dkim.strength": "warn", "transport.cert_expiry": "warn" },
    trend: [60, 62, 66, 69, 69],
  },
  {
    role: "receiving",
    but: { "transport.starttls": "error", "transport.mta_sts.record": "fail", "infra.dnssec": "not_tested" },
    trend: [88, 88, 90, 87, 90],
  },
  { role: "parked", but: { "auth.spf.all": "warn", "infra.mx.null": "fail" }, trend: [90, 90, 75, 75, 70] },
];

export interface ReportCase {
  readonly domains?: number;
  readonly scopeName?: string;
  readonly clientName?: string;
  readonly brandName?: string;
  readonly color?: string;
  readonly locale?: string;
  /** Appended to names of domains, records and observed values. */
  readonly hostile?: string;
}

/** Inputs of a report about some domains, of five kinds in turn. */
export function reportInputs({
  domains = 5,
  scopeName = "Nordwind Handels AG",
  clientName = "Nordwind Handels AG",
  brandName = "Muster Mail Consulting",
  color = "#0b5394",
  locale = "en-GB",
  hostile = "",
}: ReportCase = {}): ReportInputs {
  const all = Array.from({ length: domains }, (_, index) => domainOf(index, clientName, hostile));
  return {
    id: "rpt_01k9z4c3r8h2v6y0n5t7w1x3q9",
    generatedAt: reportTime,
    scope:
      domains === 1
        ? { type: "domain", id: "dom_0", name: all[0]?.name ?? "" }
        : { type: "client", id: "cl_01k9z4c3r8h2v6y0n5t7w1x3q9", name: scopeName },
    period: { from: FROM, to: TO },
    timezone: "Europe/Berlin",
    locale,
    branding: { name: brandName, color },
    domains: all,
    lists: blacklists
      .filter(({ id }) => listIds.includes(id))
      .map((list) => ({
        list,
        ...(list.zone.includes("<key>") && { notConfigured: `it needs a key: ${list.terms.url}` }),
      })),
    standings: all.flatMap(standingsOf),
    listingEvents: all.flatMap((domain, index) =>
      index % kinds.length === 1
        ? [
            {
              type: "blacklist.listed" as const,
              listId: "spamcop",
              subject: addressOf(index),
              at: new Date("2026-11-12T09:20:00Z"),
              listing: spamcopListing(domain.name),
            },
          ]
        : [],
    ),
    sending: all.flatMap(sendingOf),
    dmarc: all.flatMap(dmarcOf),
    method: { resolver: "the resolver at 192.0.2.53, which validates DNSSEC", listsVersion: "2026-11-24" },
  };
}

function nameOf(index: number, hostile: string): string {
  const names = [
    "nordwind.example",
    "shop.nordwind.example",
    "news.nordwind.example",
    "xn--nrdwind-90a.example",
  ];
  return `${names[index] ?? `domain-${index}.nordwind.example`}${hostile}`;
}

function addressOf(index: number): string {
  return `198.51.${100 + Math.floor(index / 250)}.${1 + (index % 250)}`;
}

function domainOf(index: number, clientName: string, hostile: string): ReportDomain {
  const { role = "sending", but, trend } = kinds[index % kinds.length] ?? { but: {}, trend: [] };
  const name = nameOf(index, hostile);
  const weights = { "bl.spamcop": 5, "bl.psbl": 2 } as const;
  const plain = domainResults({ role, but, blacklistWeights: weights });
  const results = plain.results.map(({ id, status }) => resultOf(name, hostile, id, status));
  const outcomes = outcomesOf({ ...plain, results });
  const { score, scoreModel } = scoreOf(outcomes);
  return {
    ...plain,
    id: `dom_${index}`,
    name,
    client: { id: "cl_01k9z4c3r8h2v6y0n5t7w1x3q9", name: clientName },
    isPaused: false,
    checkedAt: new Date(reportTime.getTime() - (index % 40) * 60_000),
    results,
    history: Array.from({ length: 32 }, (_, day) => ({
      at: new Date(FROM.getTime() + (day - 1) * DAY_MS + 3_600_000 * 7),
      score: day >= 30 ? score : (trend[Math.floor(day / 7)] ?? null),
      coverage: 0.95,
      scoreModel,
    })),
    findings: outcomes.flatMap((outcome, place) => {
      const severity = severityOf(outcome);
      const openedAt = new Date(TO.getTime() - (place + 3) * 2 * DAY_MS);
      return severity ? [{ checkId: outcome.id, severity, openedAt }] : [];
    }),
    statusChanges:
      index % kinds.length === 1
        ? [{ at: new Date("2026-11-12T09:20:00Z"), from: "warning", to: "critical" }]
        : [],
    ...(role === "sending" && {
      sendingFacts: {
        peakPerDay: { gmail: 6_200, outlook: 800 },
        complaintRate: { gmail: 0.0012 },
        usesTls: true,
      },
    }),
  };
}

const observations: Readonly<
  Partial<Record<CheckId, readonly [observed: string, fix?: string, record?: string]>>
> = {
  "auth.dmarc.policy": [
    "The policy is none: receivers take mail that fails DMARC as any other.",
    "Publish this record in place of the present one, once reports show that all of your own mail passes.",
    "v=DMARC1; p=quarantine; rua=mailto:dmarc+5f3a9c@reports.example",
  ],
  "auth.dmarc.exists": [
    "There is no record, neither at the name itself nor at the organisational domain.",
    "Publish this record. It changes nothing about the mail, and brings reports.",
    "v=DMARC1; p=none; rua=mailto:dmarc+5f3a9c@reports.example",
  ],
  "auth.spf.lookups": [
    "The record needs 13 DNS lookups: include:_spf.google.com 4, include:sendgrid.net 3, include:spf.protection.outlook.com 2, mx 1, a 1, include:mailgun.org 2. Receivers stop after ten and take the record for broken.",
    "Replace include:mailgun.org, which none of the domain’s mail of the last 30 days came from, and the mx that repeats it.",
    "v=spf1 include:_spf.google.com include:sendgrid.net include:spf.protection.outlook.com a ~all",
  ],
  "auth.dkim.strength": [
    "s2019: RSA key of 1024 bits.",
    "Publish a key of 2048 bits under a new selector, and sign with that.",
  ],
  "bl.spamcop": [
    "SpamCop lists 198.51.100.2 (127.0.0.2: its users reported spam from the address).",
    "Ask for removal at https://www.spamcop.net/bl.shtml once the cause has ended. Entries end by themselves about a day after the last report.",
  ],
  "transport.starttls": ["mx1.nordwind.example: no answer at port 25 within 20 seconds."],
  "transport.cert_expiry": [
    "mx2.nordwind.example: the certificate ends on 2026-12-01, in 8 days.",
    "Renew the certificate, and see to it that this happens by itself.",
  ],
  "infra.mx.null": ["The domain is parked but receives mail.", "Publish a null MX record.", "0 ."],
  "auth.spf.all": [
    "The record ends with ?all: it says nothing of other senders.",
    "Publish this record in place of the present one.",
    "v=spf1 -all",
  ],
};

function resultOf(name: string, hostile: string, id: CheckId, status: CheckResult["status"]) {
  const [observed = "There is none.", text, value] = observations[id] ?? [];
  const isBad = status === "warn" || status === "fail";
  const at = id.startsWith("auth.dmarc") ? `_dmarc.${name}` : name;
  const type = id.startsWith("infra.mx") ? "MX" : "TXT";
  const fix = {
    text: text ?? "Publish the record that the guide of your provider names.",
    ...(value !== undefined && { record: { name: at, type, value: `${value}${hostile}` } as const }),
  };
  return {
    id,
    status,
    observed: status === "pass" ? "All is as it ought to be." : `${observed}${hostile}`,
    expected: "What the standard asks for.",
    ...(isBad && { fix }),
  };
}

function spamcopListing(name: string) {
  return {
    firstSeenAt: new Date("2026-11-12T09:20:00Z"),
    lastSeenAt: new Date("2026-11-23T06:50:00Z"),
    codes: [{ code: "127.0.0.2", meaning: "its users reported spam from the address" }],
    text: `Blocked: ${name}`,
  };
}

function standingsOf(domain: ReportDomain, index: number): ReportStanding[] {
  const subject = addressOf(index);
  const at = new Date("2026-11-23T06:50:00Z");
  const clean = { holds: "clean", last: { state: "clean", at, evidence: [] } } as const;
  const listed = {
    holds: "listed",
    listing: spamcopListing(domain.name),
    last: { state: "listed", at, evidence: [] },
  } as const;
  const failing = {
    holds: "unknown",
    failing: { since: new Date("2026-11-20T06:50:00Z"), looks: 30 },
    last: { state: "error", at, reason: "no answer in time", evidence: [] },
  } as const;
  const kind = index % kinds.length;
  return [
    { listId: "spamcop", subject, domainIds: [domain.id], standing: kind === 1 ? listed : clean },
    { listId: "psbl", subject, domainIds: [domain.id], standing: kind === 3 ? failing : clean },
  ];
}

function sendingOf({ id, role }: ReportDomain, index: number): SendingFigures[] {
  if (role !== "sending") return [];
  const volumes = { gmail: 48_120, outlook: 17_450, yahoo: 6_310, other: 9_875 };
  return Object.entries(volumes).map(([provider, volume]) => {
    const sent = Math.round(volume / (1 + (index % 7)));
    const bounced = Math.round(sent * 0.0113);
    const delivered = sent - bounced - Math.round(sent * 0.002);
    const complaintsOf = provider === "other" ? 0 : delivered;
    return {
      domainId: id,
      provider,
      sent,
      delivered,
      bounced,
      complained: Math.round(complaintsOf * 0.0008),
      complaintsOf,
    };
  });
}

function dmarcOf({ name, role }: ReportDomain, index: number): DailyRollup[] {
  if (role !== "sending") return [];
  const rollup = (day: string, sourceIp: string, senders: string[], messages: number, failing: number) => ({
    policyDomain: name,
    day,
    sourceIp,
    senders: Object.fromEntries(senders.map((name) => [name, messages])),
    messages,
    dispositions: { none: messages - failing, quarantine: failing, reject: 0, other: 0 },
    alignment: { both: messages - failing - 3, dkim: 3, spf: 0, none: failing },
    overridden: 0,
  });
  return [
    rollup("2026-11-02", addressOf(index), ["Amazon SES"], 15_210, 0),
    rollup("2026-11-03", addressOf(index), ["Amazon SES"], 14_876, 12),
    rollup("2026-11-03", "203.0.113.77", [], 342, 339),
    rollup("2026-11-04", "203.0.113.80", [], 87, 84),
    rollup("2026-11-04", "2001:db8:4f::25", ["Google"], 1_204, 4),
  ];
}
