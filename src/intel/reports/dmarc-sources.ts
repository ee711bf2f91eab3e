import ipaddr from "ipaddr.js";
import type { IntelReport } from "../../../contracts/common/intel-report-schemas.ts";
import { type DailyRollup, mainSender } from "../../rollups/daily-rollup.ts";
import { utcDay } from "../../shared/utc-day.ts";
import type { ReportInputs } from "./report-inputs.ts";
import { ratioOf } from "./rounded.ts";

type DmarcSource = NonNullable<IntelReport["dmarc"]>[number];

/** Smallest range that providers assign, so that adjacent addresses are one source. */
const RANGE_BITS = { ipv4: 24, ipv6: 48 } as const;

interface Counts {
  readonly addresses: Set<string>;
  messages: number;
  passed: number;
  dkim: number;
  spf: number;
  readonly dispositions: { none: number; quarantine: number; reject: number; other: number };
  overridden: number;
}

/** The total, then by domain and source, most messages first. Empty: no report has arrived. */
export function dmarcSources({ dmarc, period }: Pick<ReportInputs, "dmarc" | "period">): DmarcSource[] {
  const first = utcDay(period.from);
  const last = utcDay(period.to.getTime() - 1);
  const total = noCounts();
  const sources = new Map<string, { readonly owner: Owner; readonly counts: Counts }>();
  for (const rollup of dmarc) {
    if (rollup.day < first || rollup.day > last) continue;
    const owner = ownerOf(rollup);
    const key = JSON.stringify(owner);
    const counts = sources.get(key)?.counts ?? noCounts();
    sources.set(key, { owner, counts });
    add(counts, rollup);
    add(total, rollup);
  }
  if (sources.size === 0) return [];
  const entries = [...sources.values()].map(({ owner, counts }) => entryOf(owner, counts)).sort(byMessages);
  return [entryOf({ domain: null, source: null, known: false }, total), ...entries];
}

type Owner = Pick<DmarcSource, "domain" | "source" | "known">;

function ownerOf(rollup: DailyRollup): Owner {
  return { domain: rollup.policyDomain, ...sourceOf(rollup) };
}

/** Service that sent the mail of a rollup, or the range of its address if no service is known. */
export function sourceOf(rollup: DailyRollup): { readonly source: string; readonly known: boolean } {
  const sender = mainSender(rollup);
  return sender === undefined
    ? { source: rangeOf(rollup.sourceIp), known: false }
    : { source: sender, known: true };
}

function rangeOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const kind = ipaddr.process(address).kind();
  const cidr = `${ipaddr.process(address)}/${RANGE_BITS[kind]}`;
  const network =
    kind === "ipv4" ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr);
  return `${network}/${RANGE_BITS[kind]}`;
}

function noCounts(): Counts {
  const dispositions = { none: 0, quarantine: 0, reject: 0, other: 0 };
  return { addresses: new Set(), messages: 0, passed: 0, dkim: 0, spf: 0, dispositions, overridden: 0 };
}

function add(counts: Counts, { sourceIp, messages, alignment, dispositions, overridden }: DailyRollup): void {
  counts.addresses.add(sourceIp);
  counts.messages += messages;
  counts.passed += alignment.both + alignment.dkim + alignment.spf;
  counts.dkim += alignment.both + alignment.dkim;
  counts.spf += alignment.both + alignment.spf;
  for (const name of ["none", "quarantine", "reject", "other"] as const)
    counts.dispositions[name] += dispositions[name];
  counts.overridden += overridden;
}

function entryOf(owner: Owner, { addresses, messages, passed, dkim, spf, dispositions, overridden }: Counts) {
  return {
    ...owner,
    addresses: addresses.size,
    messages,
    passed: ratioOf(passed, messages),
    dkim_aligned: ratioOf(dkim, messages),
    spf_aligned: ratioOf(spf, messages),
    dispositions,
    overridden,
  };
}

function byMessages(one: DmarcSource, other: DmarcSource): number {
  const key = ({ domain, source }: DmarcSource) => `${domain} ${source}`;
  return other.messages - one.messages || (key(one) < key(other) ? -1 : 1);
}
