import { type Provider, providers } from "../../intel/provider-rules/rules.ts";
import type { ReportDomain, ReportPeriod, SendingFigures } from "../../intel/reports/report-inputs.ts";
import type { DailyRollup } from "../../rollups/daily-rollup.ts";
import { createDaySums } from "../../rollups/sum-days.ts";
import { INTEL_RETENTION_MS } from "../../shared/intel-retention.ts";
import { utcDay } from "../../shared/utc-day.ts";
import type { SendingDayDocument, SendingProvider } from "../../store/counters/sending-days.ts";
import type { WatchedDomainDocument } from "../../store/intel-documents.ts";
import type { AccountStore } from "../../store/store.ts";

/** Mail statistics of a domain for a report. */
export interface DomainMail {
  readonly dmarc: readonly DailyRollup[];
  readonly sending: readonly SendingFigures[];
  readonly facts: NonNullable<ReportDomain["sendingFacts"]>;
}

/** Maximum number of sources that one report distinguishes, over all its domains. */
const MAX_SOURCES = 50_000;
const FEWEST_SOURCES = 20;
/** Fewer messages do not permit a rate. */
const ENOUGH_DELIVERED = 100;

/**
 * Reads the reports of receivers about a domain within a period, and the messages that the same account sent from it
 * through Hermod.
 * @param domains number of domains in the report
 */
export async function gatherMail(
  account: AccountStore,
  { _id, name }: WatchedDomainDocument,
  { period, domains, now }: { readonly period: ReportPeriod; readonly domains: number; readonly now: Date },
): Promise<DomainMail> {
  const first = utcDay(period.from);
  const last = utcDay(period.to.getTime() - 1);
  const sums = createDaySums(Math.max(FEWEST_SOURCES, Math.floor(MAX_SOURCES / domains)));
  const [days] = await Promise.all([
    account.sendingDays.read(name, utcDay(now.getTime() - INTEL_RETENTION_MS)),
    account.aggregateReports.eachDmarc(_id, { first, last }, sums.add),
  ]);
  return {
    dmarc: sums.sums(),
    sending: figuresOf(_id, days, { first, last }),
    facts: factsOf(days.filter(({ day }) => day >= first && day <= last)),
  };
}

function figuresOf(
  domainId: string,
  days: readonly SendingDayDocument[],
  { first, last }: { readonly first: string; readonly last: string },
): SendingFigures[] {
  const within = days.filter(({ day }) => day >= first && day <= last);
  return [...new Set(within.flatMap(({ counts }) => Object.keys(counts) as SendingProvider[]))].map(
    (provider) => {
      const count = (kind: "delivered" | "bounced" | "complained") =>
        sumOf(within, (day) => day.counts[provider]?.[kind] ?? 0);
      return {
        domainId,
        provider,
        sent: sumOf(within, (day) => sentOn(day, provider)),
        delivered: count("delivered"),
        bounced: count("bounced"),
        complained: count("complained"),
        complaintsOf: reportsComplaints(days, provider) ? count("delivered") : 0,
      };
    },
  );
}

/** The daily volume is not included: the domain may also send through other systems, so that providers count more. */
function factsOf(days: readonly SendingDayDocument[]): DomainMail["facts"] {
  const complaintRate: Partial<Record<Provider, number>> = {};
  for (const provider of providers) {
    const delivered = sumOf(days, ({ counts }) => counts[provider]?.delivered ?? 0);
    if (!reportsComplaints(days, provider) || delivered < ENOUGH_DELIVERED) continue;
    complaintRate[provider] = sumOf(days, ({ counts }) => counts[provider]?.complained ?? 0) / delivered;
  }
  return { complaintRate };
}

/**
 * Messages that were sent or not accepted. A message that bounces after its delivery counts twice, which affects one
 * in some thousands.
 */
function sentOn({ counts }: SendingDayDocument, provider: SendingProvider): number {
  const { delivered = 0, bounced = 0, expired = 0, failed = 0 } = counts[provider] ?? {};
  return delivered + bounced + expired + failed;
}

/** A provider without a feedback loop reports no complaints, which does not mean that there are none. */
function reportsComplaints(days: readonly SendingDayDocument[], provider: SendingProvider): boolean {
  return days.some(({ counts }) => (counts[provider]?.complained ?? 0) > 0);
}

function sumOf<T>(items: readonly T[], read: (item: T) => number): number {
  return items.reduce((sum, item) => sum + read(item), 0);
}
