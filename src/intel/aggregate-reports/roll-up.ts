import type { Alignment, DailyRollup, Disposition } from "../../rollups/daily-rollup.ts";
import { utcDay } from "../../shared/utc-day.ts";
import type { DmarcReport, DmarcRow } from "./dmarc-report.ts";
import { senderOf } from "./known-senders.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A longer period is not a daily report and would be spread over thousands of days. */
const MAX_SPREAD_DAYS = 31;

interface Counts {
  readonly policyDomain: string;
  readonly day: string;
  readonly sourceIp: string;
  readonly senders: Map<string, number>;
  messages: number;
  readonly dispositions: Record<Disposition, number>;
  readonly alignment: Record<Alignment, number>;
  overridden: number;
}

/**
 * Aggregates reports by policy domain, day and source, in that order. A report that is sent again counts once. The
 * messages of a report over more than one day are spread over its days in proportion, in whole messages. Any other
 * report belongs to the day of its middle.
 */
export function rollUp(reports: Iterable<DmarcReport>): DailyRollup[] {
  const counts = new Map<string, Counts>();
  const keys = new Set<string>();
  for (const report of reports) {
    const key = reportKey(report);
    if (keys.has(key)) continue;
    keys.add(key);
    const days = daysOf(report);
    for (const row of report.rows) {
      for (const { day, count } of spread(row.count, days))
        add(counts, report.policy.domain, day, row, count);
    }
  }
  return [...counts.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { senders, ...rest }]) => ({ ...rest, senders: Object.fromEntries(senders) }));
}

/** Key of a report: its organization, id, policy domain and range. A report that is sent again has the same key. */
export function reportKey({ orgName, reportId, policy, begin, end }: DmarcReport): string {
  return JSON.stringify([orgName.toLowerCase(), reportId, policy.domain, begin.getTime(), end.getTime()]);
}

function add(
  all: Map<string, Counts>,
  policyDomain: string,
  day: string,
  row: DmarcRow,
  count: number,
): void {
  const { sourceIp } = row;
  const key = `${policyDomain} ${day} ${sourceIp}`;
  let counts = all.get(key);
  if (counts === undefined) {
    counts = {
      policyDomain,
      day,
      sourceIp,
      senders: new Map(),
      messages: 0,
      dispositions: { none: 0, quarantine: 0, reject: 0, other: 0 },
      alignment: { both: 0, dkim: 0, spf: 0, none: 0 },
      overridden: 0,
    };
    all.set(key, counts);
  }
  counts.messages += count;
  counts.dispositions[dispositionOf(row)] += count;
  counts.alignment[alignmentOf(row)] += count;
  if (row.overrides.length > 0) counts.overridden += count;
  const sender = senderOf(row);
  if (sender !== undefined) counts.senders.set(sender, (counts.senders.get(sender) ?? 0) + count);
}

function dispositionOf({ disposition }: DmarcRow): Disposition {
  if (disposition === "pass" || disposition === "none") return "none";
  return disposition === "quarantine" || disposition === "reject" ? disposition : "other";
}

function alignmentOf({ dkimAligned, spfAligned }: DmarcRow): Alignment {
  if (dkimAligned) return spfAligned ? "both" : "dkim";
  return spfAligned ? "spf" : "none";
}

interface DayShare {
  readonly day: string;
  /** Share of the report's period, up to 1. */
  readonly share: number;
}

function daysOf({ begin, end }: DmarcReport): DayShare[] {
  const [from, to] = [begin.getTime(), end.getTime()];
  const span = to - from;
  if (span <= DAY_MS || span > MAX_SPREAD_DAYS * DAY_MS) return [{ day: utcDay(from + span / 2), share: 1 }];
  const days: DayShare[] = [];
  for (let start = from - (from % DAY_MS); start < to; start += DAY_MS) {
    const overlap = Math.min(to, start + DAY_MS) - Math.max(from, start);
    days.push({ day: utcDay(start), share: overlap / span });
  }
  return days;
}

/** Spreads whole messages and keeps their sum. The remainder goes to the days with the largest fractions. */
function spread(
  count: number,
  days: readonly DayShare[],
): { readonly day: string; readonly count: number }[] {
  const exact = days.map(({ day, share }) => ({
    day,
    count: Math.floor(count * share),
    part: (count * share) % 1,
  }));
  const rest = count - exact.reduce((sum, day) => sum + day.count, 0);
  const first = new Set([...exact].sort((a, b) => b.part - a.part).slice(0, rest));
  return exact
    .map((day) => ({ day: day.day, count: day.count + (first.has(day) ? 1 : 0) }))
    .filter((day) => day.count > 0);
}
