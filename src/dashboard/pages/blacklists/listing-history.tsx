import { useInfiniteQuery } from "@tanstack/react-query";
import type { ListingFilter } from "../../api/insights.ts";
import { listingChangesQuery, type WatchChange } from "../../api/watches.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

const columns: readonly Column<WatchChange>[] = [
  {
    heading: t.blacklists.change,
    cell: ({ kind }) => (
      <StateBadge tone={kind === "blacklist.listed" ? "bad" : "ok"}>
        {t.blacklists.changes[kind] ?? kind}
      </StateBadge>
    ),
  },
  { heading: t.blacklists.subject, cell: ({ subject }) => <b>{subject}</b>, className: "main wrap" },
  { heading: t.blacklists.list, cell: ({ list }) => list, className: "mono wrap" },
  { heading: t.blacklists.domain, cell: ({ domain }) => domain, className: "grow muted wrap" },
  { heading: t.blacklists.at, cell: ({ at }) => <Time at={at} withDay />, className: "right muted" },
];

/** Beginnings and ends of entries, newest first. */
export function ListingHistory({ filter }: { readonly filter: ListingFilter }) {
  const query = useInfiniteQuery(listingChangesQuery(filter));
  return (
    <ListCard query={query} empty={{ title: t.blacklists.noChanges, detail: t.blacklists.noChangesDetail }}>
      {(rows) => (
        <Table label={t.blacklists.tabs.past} columns={columns} rows={rows} rowKey={({ id }) => id} />
      )}
    </ListCard>
  );
}
