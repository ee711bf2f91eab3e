import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Erasure, erasuresQuery } from "../../api/erasures.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { EraseRecipient } from "./erase-recipient.tsx";

const columns: readonly Column<Erasure>[] = [
  {
    heading: t.erasure.state,
    cell: ({ state }) => (
      <StateBadge tone={state === "done" ? "ok" : "warn"}>{t.erasure.states[state] ?? state}</StateBadge>
    ),
  },
  {
    heading: t.erasure.id,
    cell: ({ id }) => (
      <Link to="/account/erasures/$erasureId" params={{ erasureId: id }} className="main">
        <span className="mono">{id}</span>
      </Link>
    ),
    className: "main",
  },
  { heading: t.erasure.requestedBy, cell: ({ requested_by }) => requested_by, className: "muted wide-only" },
  {
    heading: t.erasure.requested,
    cell: ({ requested_at }) => <Time at={requested_at} withDay />,
    className: "right muted",
  },
];

/** Erasures of recipients, newest first. */
export function ErasureCard() {
  const query = useInfiniteQuery(erasuresQuery);
  const [isErasing, setErasing] = useState(false);
  return (
    <section className="stack small-gap" aria-label={t.erasure.card}>
      <div className="spread">
        <h2>{t.erasure.card}</h2>
        <Button variant="default" onClick={() => setErasing(true)}>
          {t.erasure.erase}
        </Button>
      </div>
      <ListCard query={query} empty={{ title: t.erasure.empty, detail: t.erasure.emptyDetail }}>
        {(rows) => <Table label={t.erasure.card} columns={columns} rows={rows} rowKey={({ id }) => id} />}
      </ListCard>
      {isErasing && <EraseRecipient onClose={() => setErasing(false)} />}
    </section>
  );
}
