import { Button } from "@mantine/core";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keysQuery } from "../../api/keys.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { SecretOnce } from "../../parts/secret-once.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { CreateKey } from "./create-key.tsx";
import { KeyTable } from "./key-table.tsx";
import { type Revealed, secretsOf } from "./secrets-of.ts";

/** API keys and SMTP credentials of the account. */
export function KeyListPage() {
  const query = useInfiniteQuery(keysQuery());
  const queryClient = useQueryClient();
  const may = useMay();
  const [isCreating, setCreating] = useState(false);
  const [revealed, setRevealed] = useState<Revealed>();

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
      <ListCard query={query} empty={{ title: t.keys.empty, detail: t.keys.emptyDetail }}>
        {(keys) => <KeyTable keys={keys} onRotated={reveal} />}
      </ListCard>
      {isCreating && <CreateKey onCreated={reveal} onClose={() => setCreating(false)} />}
      {revealed && (
        <SecretOnce
          title={t.keys.created(revealed.key.name || revealed.key.prefix)}
          secrets={secretsOf(revealed)}
          onClose={() => setRevealed(undefined)}
        />
      )}
    </>
  );
}
