import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type JobOutcome, type JobResult, jobResultsQuery } from "../../api/jobs.ts";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import type { Tone } from "../../parts/icons.tsx";
import { ListCard } from "../../parts/list-card.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { t } from "../../texts/texts.ts";

const tones: Readonly<Record<string, Tone>> = { done: "ok", failed: "bad" };

const columns: readonly Column<JobResult>[] = [
  {
    heading: t.jobs.outcome,
    cell: ({ outcome }) => (
      <StateBadge tone={tones[outcome] ?? "idle"}>{t.jobs.outcomes[outcome] ?? outcome}</StateBadge>
    ),
  },
  { heading: t.jobs.item, cell: ({ item }) => <Item id={item} />, className: "mono main" },
  { heading: t.jobs.reason, cell: ({ message }) => message, className: "grow muted" },
];

/** Results of the items of a job, also while it runs. */
export function JobResults({ jobId }: { readonly jobId: string }) {
  const [outcome, setOutcome] = useState<JobOutcome>();
  const query = useInfiniteQuery(jobResultsQuery(jobId, outcome));
  return (
    <section className="stack small-gap" aria-label={t.jobs.results}>
      <div className="spread">
        <h2>{t.jobs.results}</h2>
        <FilterMenu
          label={t.jobs.outcome}
          options={t.jobs.outcomes}
          values={outcome ? [outcome] : []}
          onPick={([value]) => setOutcome(value as JobOutcome | undefined)}
        />
      </div>
      <ListCard query={query} empty={{ title: t.jobs.noResults }}>
        {(rows) => <Table label={t.jobs.results} columns={columns} rows={rows} rowKey={({ item }) => item} />}
      </ListCard>
    </section>
  );
}

/** Links a message, a delivery of a webhook, or a watched domain to its page. */
function Item({ id }: { readonly id: string }) {
  if (id.startsWith("wep_"))
    return (
      <Link to="/webhooks/deliveries/$deliveryId" params={{ deliveryId: id }} className="link">
        {id}
      </Link>
    );
  if (id.startsWith("dom_"))
    return (
      <Link to="/intel/domains/$domainId" params={{ domainId: id }} className="link">
        {id}
      </Link>
    );
  if (!id.startsWith("msg_")) return id;
  return (
    <Link to="/messages/$messageId" params={{ messageId: id }} className="link">
      {id}
    </Link>
  );
}
