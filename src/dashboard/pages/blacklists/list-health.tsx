import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ALL_STATES, type BlacklistHealth, blacklistsQuery } from "../../api/insights.ts";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { spanText, Time } from "../../parts/time.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";

const tones: Readonly<Record<string, Tone>> = { on: "ok", failing: "warn", off: "bad" };

const columns: readonly Column<BlacklistHealth>[] = [
  {
    heading: t.blacklists.list,
    cell: ({ list }) => (
      <Link to="/intel/blacklists" search={{ list: list.id, state: ALL_STATES }} className="main">
        {list.name}
      </Link>
    ),
    className: "main",
  },
  {
    heading: t.blacklists.state,
    cell: ({ state }) => (
      <StateBadge tone={tones[state] ?? "idle"}>{t.blacklists.health.states[state] ?? state}</StateBadge>
    ),
  },
  { heading: t.blacklists.reason, cell: reasonOf, className: "grow muted wrap" },
  {
    heading: t.blacklists.health.weight,
    cell: ({ list }) => numberText(list.weight),
    className: "right num wide-only",
  },
  {
    heading: t.blacklists.health.budget,
    cell: ({ queries_today: today, queries_per_day: most }) =>
      today !== null && most !== null && t.blacklists.health.budgetOf(today, most),
    className: "right num wide-only",
  },
  {
    heading: t.blacklists.health.interval,
    cell: ({ interval_seconds: seconds }) => seconds !== null && spanText(seconds * 1_000),
    className: "right muted wide-only",
  },
  {
    heading: t.blacklists.health.tested,
    cell: ({ tested_at: at }) => at && <Time at={at} withDay />,
    className: "right muted",
  },
  {
    heading: t.blacklists.health.terms,
    cell: ({ list }) => (
      <a
        href={list.terms_url}
        className="link"
        target="_blank"
        rel="noreferrer"
        aria-label={t.blacklists.health.termsOf(list.name)}
      >
        {t.blacklists.health.terms}
      </a>
    ),
    className: "wide-only",
  },
];

function reasonOf(health: BlacklistHealth): string {
  const { state, failure, interval_seconds: seconds, wanted_interval_seconds: wanted } = health;
  if (state === "not_configured") return t.blacklists.health.notConfigured;
  if (failure !== null) return t.blacklists.health.failures[failure] ?? failure;
  return seconds !== null && wanted !== null && seconds > wanted ? t.blacklists.health.tooSmall : "";
}

/** The blacklists that Hermod knows, with the results of their self-tests. */
export function ListHealth() {
  const query = useQuery(blacklistsQuery);
  return (
    <section className="stack small-gap" aria-label={t.blacklists.health.title}>
      <p className="muted tight">{t.blacklists.health.detail}</p>
      <div className="card">
        <StateView query={query}>
          {({ data }) => (
            <Table
              label={t.blacklists.health.title}
              columns={columns}
              rows={data}
              rowKey={({ list }) => list.id}
            />
          )}
        </StateView>
      </div>
    </section>
  );
}
