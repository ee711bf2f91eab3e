import { Link } from "@tanstack/react-router";
import type { TrialResult } from "../../api/rules.ts";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { Severity } from "../incidents/incident-state.tsx";

type TriedAlert = TrialResult["alerts"][number];
type TriedNotice = TrialResult["notices"][number];

interface NoticeRow extends TriedNotice {
  readonly key: string;
}

type TriedRule = TrialResult["rules"][number];

const changeTones: Readonly<Record<string, Tone>> = {
  unchanged: "idle",
  newly_matched: "ok",
  no_longer_matched: "bad",
  moved: "warn",
};

const namesText = (names: readonly string[]) => (names.length > 0 ? names.join(", ") : t.trials.noRule);

const alertColumns: readonly Column<TriedAlert>[] = [
  {
    heading: t.trials.change,
    cell: ({ change }) => (
      <StateBadge tone={changeTones[change] ?? "idle"}>{t.trials.changes[change] ?? change}</StateBadge>
    ),
  },
  { heading: t.incidents.severity, cell: ({ severity }) => <Severity severity={severity} /> },
  {
    heading: t.alerts.alert,
    cell: ({ id, message }) => (
      <Link to="/alerts/$alertId" params={{ alertId: id }} className="main">
        {message}
      </Link>
    ),
    className: "main wrap grow",
  },
  { heading: t.trials.before, cell: ({ before }) => namesText(before), className: "muted wrap wide-only" },
  {
    heading: t.trials.after,
    cell: ({ after, dropped_by: by }) => (by ? t.rules.droppedBy(by) : namesText(after)),
    className: "wrap",
  },
  {
    heading: t.alerts.received,
    cell: ({ received_at }) => <Time at={received_at} withDay />,
    className: "right muted",
  },
];

/** Alerts that the rule matches, and all alerts with a difference, the latest first. */
export function TriedAlerts({ result: { matches, alerts } }: { readonly result: TrialResult }) {
  const byId = new Map([...matches, ...alerts].map((alert) => [alert.id, alert]));
  // Ids are ordered by time.
  const rows = [...byId.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1));
  if (rows.length === 0) return null;
  return (
    <section className="card" aria-label={t.trials.alertsTitle}>
      <header>
        <h2>{t.trials.alertsTitle}</h2>
        <span className="faint">{t.trials.alertsDetail}</span>
      </header>
      <Table label={t.trials.alertsTitle} columns={alertColumns} rows={rows} rowKey={({ id }) => id} />
    </section>
  );
}

const noticeColumns: readonly Column<NoticeRow>[] = [
  { heading: t.common.time, cell: ({ at }) => <Time at={at} withDay />, className: "muted" },
  { heading: t.trials.reason, cell: ({ reason }) => t.trials.reasons[reason] ?? reason },
  {
    heading: t.trials.notice,
    cell: ({ title, reason }) => title || (t.trials.reasons[reason] ?? reason),
    className: "main wrap grow",
  },
  {
    heading: t.trials.receivers,
    cell: ({ recipients, targets }) =>
      [...recipients, ...(targets > 0 ? [t.rules.targetCount(targets)] : [])].join(", "),
    className: "lines",
  },
];

interface TriedNoticesProps {
  readonly notices: readonly TriedNotice[];
  /** Numbers of all notices; undefined: unknown. */
  readonly count: TrialResult["estimate"] | undefined;
}

/** Notices that the rule would have sent, with their times. */
export function TriedNotices({ notices, count }: TriedNoticesProps) {
  const isCut = count !== undefined && count.notices + count.digests > notices.length;
  return (
    <section className="card" aria-label={t.trials.noticesTitle}>
      <header>
        <h2>{t.trials.noticesTitle}</h2>
        <span className="faint">{t.trials.noticesDetail}</span>
      </header>
      <Table
        label={t.trials.noticesTitle}
        columns={noticeColumns}
        // Two notices can be equal.
        rows={notices.map((notice, index) => ({ ...notice, key: String(index) }))}
        rowKey={({ key }) => key}
      />
      {isCut && <p className="body muted tight">{t.trials.firstNotices(notices.length)}</p>}
    </section>
  );
}

const ruleColumns: readonly Column<TriedRule>[] = [
  { heading: t.incidents.rule, cell: ({ rule }) => rule, className: "main" },
  {
    heading: t.trials.matchedBefore,
    cell: ({ matched_before }) => numberText(matched_before),
    className: "right num",
  },
  { heading: t.trials.matchedNow, cell: ({ matched }) => numberText(matched), className: "right num" },
];

/** Other rules of the account that match other alerts now. */
export function OtherRules({ rules }: { readonly rules: readonly TriedRule[] }) {
  const changed = rules.filter(({ newly_matched: more, no_longer_matched: fewer }) => more > 0 || fewer > 0);
  if (changed.length === 0) return null;
  return (
    <section className="card" aria-label={t.trials.othersTitle}>
      <header>
        <h2>{t.trials.othersTitle}</h2>
        <span className="faint">{t.trials.othersDetail}</span>
      </header>
      <Table label={t.trials.othersTitle} columns={ruleColumns} rows={changed} rowKey={({ rule }) => rule} />
    </section>
  );
}
