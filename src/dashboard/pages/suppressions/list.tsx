import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { type Suppression, suppressionsQuery } from "../../api/suppressions.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { PickField } from "../../parts/pick-field.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { AddSuppression } from "./add-suppression.tsx";
import { RemoveSuppression } from "./remove-suppression.tsx";

const route = getRouteApi("/inside/suppressions");

const columns: readonly Column<Suppression>[] = [
  { heading: t.suppressions.address, cell: ({ address }) => <b>{address}</b> },
  { heading: t.suppressions.reason, cell: ({ reason }) => t.suppressions.reasons[reason] ?? reason },
  { heading: t.suppressions.note, cell: ({ detail }) => detail, className: "grow muted wide-only" },
  {
    heading: t.suppressions.scope,
    cell: ({ policy }) => policy || t.suppressions.allMail,
    className: "muted wide-only",
  },
  {
    heading: t.suppressions.since,
    cell: ({ created_at }) => <Time at={created_at} />,
    className: "right muted wide-only",
  },
  {
    heading: t.keys.actions,
    cell: (entry) => <RemoveSuppression entry={entry} />,
    className: "right",
  },
];

/** Addresses that the account sends nothing to. */
export function SuppressionListPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(suppressionsQuery(filter));
  const may = useMay();
  const [isAdding, setAdding] = useState(false);
  const isFiltered = Object.keys(filter).length > 0;
  const change = (changes: { address?: string | undefined; reason?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });

  return (
    <>
      <PageHead title={t.suppressions.title} detail={t.suppressions.detail}>
        {may("suppressions.write") && <Button onClick={() => setAdding(true)}>{t.suppressions.add}</Button>}
      </PageHead>
      <search className="row">
        <SearchField
          label={t.suppressions.address}
          hint={t.suppressions.searchHint}
          value={filter.address}
          onSearch={(address) => change({ address })}
        />
        <PickField
          label={t.suppressions.reason}
          options={t.suppressions.reasons}
          value={filter.reason}
          onPick={(reason) => change({ reason })}
        />
      </search>
      <ListCard
        query={query}
        empty={
          isFiltered
            ? { title: t.suppressions.emptyFiltered }
            : { title: t.suppressions.empty, detail: t.suppressions.emptyDetail }
        }
      >
        {(rows) => (
          <Table label={t.suppressions.title} columns={columns} rows={rows} rowKey={({ id }) => id} />
        )}
      </ListCard>
      {isAdding && <AddSuppression onClose={() => setAdding(false)} />}
    </>
  );
}
