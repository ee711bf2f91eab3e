import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { keysOfSendersQuery, type SenderFilter, sendersBy } from "../../api/senders.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { PickField } from "../../parts/pick-field.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { Table } from "../../parts/table.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { AddSender } from "./add-sender.tsx";
import { senderColumns } from "./sender-columns.tsx";

const route = getRouteApi("/inside/senders");

/** Addresses and domains from which mail can be sent, in addition to verified domains. */
export function SenderListPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(sendersBy(filter));
  const may = useMay();
  const keys = useQuery({ ...keysOfSendersQuery, enabled: may("keys.read") });
  const [isAdding, setAdding] = useState(false);
  const change = (changes: { search?: string | undefined; state?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...changes }) as SenderFilter, replace: true });

  return (
    <>
      <PageHead title={t.senders.title} detail={t.senders.detail}>
        {may("senders.write") && <Button onClick={() => setAdding(true)}>{t.senders.add}</Button>}
      </PageHead>
      <search className="row">
        <SearchField
          label={t.senders.sender}
          hint={t.senders.searchHint}
          value={filter.search}
          onSearch={(search) => change({ search })}
        />
        <PickField
          label={t.senders.state}
          options={t.senders.states}
          value={filter.state}
          onPick={(state) => change({ state })}
        />
      </search>
      <ListCard
        query={query}
        empty={
          Object.keys(filter).length > 0
            ? { title: t.senders.emptyFiltered }
            : { title: t.senders.empty, detail: t.senders.emptyDetail }
        }
      >
        {(rows) => (
          <Table
            label={t.senders.title}
            columns={senderColumns(keys.data)}
            rows={rows}
            rowKey={({ id }) => id}
          />
        )}
      </ListCard>
      {isAdding && <AddSender onClose={() => setAdding(false)} />}
    </>
  );
}
