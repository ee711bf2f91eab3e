import { useInfiniteQuery } from "@tanstack/react-query";
import { type Watch, watchChangesBy } from "../../api/watches.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { t } from "../../texts/texts.ts";
import { ScoreOverTime } from "../intel-scope/score-history.tsx";
import { ChangeTable } from "../watch-changes/change-table.tsx";

/** The score of a domain over time, and its changes. */
export function History({ watch: { id } }: { readonly watch: Watch }) {
  const changes = useInfiniteQuery(watchChangesBy({ domain_id: id }));
  return (
    <>
      <ScoreOverTime scope={{ domain_id: id }} />
      <section className="stack small-gap" aria-labelledby="changes">
        <h2 id="changes">{t.watchChanges.title}</h2>
        <ListCard query={changes} empty={{ title: t.watches.noChanges }}>
          {(rows) => <ChangeTable rows={rows} />}
        </ListCard>
      </section>
    </>
  );
}
