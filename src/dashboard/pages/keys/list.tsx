import { Button } from "@mantine/core";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { type KeyFilter, keysQuery } from "../../api/keys.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { PickField } from "../../parts/pick-field.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { SecretOnce } from "../../parts/secret-once.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { CreateKey } from "./create-key.tsx";
import { KeyTable } from "./key-table.tsx";
import { nameOf } from "./name-of.ts";
import { type Revealed, secretsOf } from "./secrets-of.ts";

const route = getRouteApi("/inside/keys");

/** API keys and SMTP credentials of the account. */
export function KeyListPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(keysQuery(filter));
  const queryClient = useQueryClient();
  const may = useMay();
  const [isCreating, setCreating] = useState(false);
  const [revealed, setRevealed] = useState<Revealed>();
  const change = (changes: KeyFilter) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });

  function reveal(created: Revealed) {
    setCreating(false);
    setRevealed(created);
    void queryClient.invalidateQueries({ queryKey: ["keys"] });
  }

  return (
    <>
      <PageHead title={t.keys.title} detail={t.keys.detail}>
        {may("keys.write") && <Button onClick={() => setCreating(true)}>{t.keys.create}</Button>}
      </PageHead>
      <search className="row">
        <SearchField
          label={t.keys.search}
          hint={t.keys.searchHint}
          value={filter.query}
          onSearch={(query) => change({ query })}
        />
        <PickField
          label={t.keys.state}
          options={t.keys.states}
          value={filter.state}
          onPick={(state) => change({ state })}
        />
        <PickField
          label={t.keys.kind}
          options={t.keys.kinds}
          value={filter.kind}
          onPick={(kind) => change({ kind })}
        />
      </search>
      <ListCard
        query={query}
        empty={
          Object.keys(filter).length > 0
            ? { title: t.keys.emptyFiltered }
            : { title: t.keys.empty, detail: t.keys.emptyDetail }
        }
      >
        {(keys) => <KeyTable keys={keys} />}
      </ListCard>
      {isCreating && <CreateKey onCreated={reveal} onClose={() => setCreating(false)} />}
      {revealed && (
        <SecretOnce
          title={t.keys.created(nameOf(revealed.key))}
          secrets={secretsOf(revealed)}
          onClose={() => setRevealed(undefined)}
        />
      )}
    </>
  );
}
