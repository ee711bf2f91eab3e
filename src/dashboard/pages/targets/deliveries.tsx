import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { TargetDelivery } from "../../api/targets.ts";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import type { Column } from "../../parts/table.tsx";
import { TableCard } from "../../parts/table-card.tsx";
import { Time, timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { resultText } from "./advice.ts";

const tones: Readonly<Record<string, Tone>> = { delivered: "ok", pending: "warn", failed: "bad" };

const columns: readonly Column<TargetDelivery>[] = [
  {
    heading: t.targets.state,
    cell: ({ state }) => (
      <StateBadge tone={tones[state] ?? "idle"}>{t.deliveries.states[state] ?? state}</StateBadge>
    ),
  },
  { heading: t.targets.notice, cell: (delivery) => <Notice delivery={delivery} />, className: "main" },
  {
    heading: t.targets.rule,
    cell: ({ rule }) => (
      <Link to="/alert-rules/$name" params={{ name: rule }} className="link">
        {rule}
      </Link>
    ),
    className: "wide-only",
  },
  {
    heading: t.targets.attempts,
    cell: ({ attempts, due_at: due, state }) => (
      <>
        {attempts}
        {state === "pending" && due && (
          <div className="muted">{t.targets.nextAt(timeText(due, new Date(), true))}</div>
        )}
      </>
    ),
    className: "num wide-only",
  },
  { heading: t.common.time, cell: ({ at }) => <Time at={at} withDay />, className: "right muted" },
];

function Notice({
  delivery: { type, number, incident_id: incidentId },
}: {
  readonly delivery: TargetDelivery;
}) {
  if (type === "incident.digest" || incidentId === "") return t.targets.digest(number);
  return (
    <Link to="/incidents/$incidentId" params={{ incidentId }} className="main">
      {t.targets.noticeOf(number)}
    </Link>
  );
}

interface DeliveriesProps {
  readonly query: UseInfiniteQueryResult<InfiniteData<{ readonly data: readonly TargetDelivery[] }>>;
}

/** The notices to a target, newest first, each with the reason why it is not delivered. */
export function Deliveries({ query }: DeliveriesProps) {
  return (
    <TableCard
      id="deliveries"
      title={t.targets.deliveries}
      detail={t.targets.deliveriesDetail}
      query={query}
      empty={<p className="body muted">{t.targets.noDeliveries}</p>}
      columns={columns}
      rowKey={({ id }) => id}
      below={(delivery) => (isShort(delivery) ? undefined : <Reason delivery={delivery} />)}
    />
  );
}

/** Whether the row has everything: the target accepted the notice, or there was no attempt yet. */
const isShort = ({ state, detail }: TargetDelivery): boolean => state === "delivered" || detail === "";

function Reason({ delivery }: { readonly delivery: TargetDelivery }) {
  const { answer } = delivery;
  return (
    <>
      <p className="tight">{resultText(delivery)}</p>
      {answer && <pre className="smtp wrapped">{answer}</pre>}
    </>
  );
}
