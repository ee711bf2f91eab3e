import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { type DomainFilter, domainsBy, type ListedDomain } from "../../api/domains.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { PickField } from "../../parts/pick-field.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { AddDomain } from "./add-domain.tsx";
import { DomainStatus } from "./domain-status.tsx";
import { reasonsOf } from "./reasons-of.ts";

const route = getRouteApi("/inside/domains");

const columns: readonly Column<ListedDomain>[] = [
  { heading: t.domains.status, cell: ({ status }) => <DomainStatus status={status} /> },
  {
    heading: t.domains.name,
    cell: ({ name }) => (
      <Link to="/domains/$domain" params={{ domain: name }} className="main">
        {name}
      </Link>
    ),
    className: "main",
  },
  {
    heading: t.domains.wrong,
    cell: (domain) => reasonsOf(domain)[0] ?? "",
    className: "grow muted wide-only",
  },
  {
    heading: t.domains.checked,
    cell: ({ checked_at }) => (checked_at ? <Time at={checked_at} withDay /> : t.domains.notChecked),
    className: "right muted wide-only",
  },
];

/** Sending domains of the account with their status. */
export function DomainListPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(domainsBy(filter));
  const may = useMay();
  const [isAdding, setAdding] = useState(false);
  const change = (changes: { search?: string | undefined; status?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...changes }) as DomainFilter, replace: true });

  return (
    <>
      <PageHead title={t.domains.title} detail={t.domains.detail}>
        {may("domains.write") && <Button onClick={() => setAdding(true)}>{t.domains.add}</Button>}
      </PageHead>
      <search className="row">
        <SearchField
          label={t.domains.name}
          hint={t.domains.searchHint}
          value={filter.search}
          onSearch={(search) => change({ search })}
        />
        <PickField
          label={t.domains.status}
          options={t.domains.statuses}
          value={filter.status}
          onPick={(status) => change({ status })}
        />
      </search>
      <ListCard
        query={query}
        empty={
          Object.keys(filter).length > 0
            ? { title: t.domains.emptyFiltered }
            : { title: t.domains.empty, detail: t.domains.emptyDetail }
        }
      >
        {(domains) => (
          <Table label={t.domains.title} columns={columns} rows={domains} rowKey={({ name }) => name} />
        )}
      </ListCard>
      {isAdding && <AddDomain onClose={() => setAdding(false)} />}
    </>
  );
}
