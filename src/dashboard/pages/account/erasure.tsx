import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type Erasure, erasureQuery } from "../../api/erasures.ts";
import { Answer } from "../../parts/answer.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { StateView } from "../../parts/state-view.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { timeText } from "../../parts/time.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { ErasureFacts } from "./erasure-facts.tsx";

const route = getRouteApi("/inside/account/erasures/$erasureId");

type Count = readonly [name: string, count: number];

const columns: readonly Column<Count>[] = [
  {
    heading: t.erasure.what,
    cell: ([name]) => t.erasure.collections[name] ?? name,
    className: "main",
  },
  { heading: t.erasure.number, cell: ([, count]) => numberText(count), className: "right num" },
];

/** An erasure: its progress, and at its end the proof, to print or to save. */
export function ErasurePage() {
  const { erasureId } = route.useParams();
  const query = useQuery(erasureQuery(erasureId));
  return <StateView query={query}>{(erasure) => <ErasureView erasure={erasure} />}</StateView>;
}

function ErasureView({ erasure }: { readonly erasure: Erasure }) {
  const { id, removed, waiting, finished_at } = erasure;
  const counts = Object.entries(removed).filter(([, count]) => count > 0);
  const save = () => saveFile(`${id}.json`, "application/json", `${JSON.stringify(erasure, null, 2)}\n`);
  return (
    <>
      <PageHead
        title={t.erasure.title}
        detail={<span className="mono">{id}</span>}
        above={
          <Link to="/account/retention" className="link no-print">
            {t.retention.title}
          </Link>
        }
      >
        {finished_at && (
          <span className="row no-print">
            <Button variant="default" onClick={() => window.print()}>
              {t.erasure.print}
            </Button>
            <Button onClick={save}>{t.erasure.download}</Button>
          </span>
        )}
      </PageHead>
      <div role="status">
        {finished_at ? (
          <Answer tone="ok">
            <p>{t.erasure.done(timeText(finished_at, new Date(), true))}</p>
            <p className="muted">{t.erasure.doneDetail}</p>
          </Answer>
        ) : (
          <Answer tone="warn">
            <p>{t.erasure.running}</p>
            {waiting > 0 && <p className="muted">{t.erasure.runningWaiting(waiting)}</p>}
          </Answer>
        )}
      </div>
      <section className="card" aria-label={t.erasure.removed}>
        <header>
          <h2>{t.erasure.removed}</h2>
        </header>
        {counts.length === 0 ? (
          <p className="body muted">{t.erasure.nothingRemoved}</p>
        ) : (
          <Table label={t.erasure.removed} columns={columns} rows={counts} rowKey={([name]) => name} />
        )}
      </section>
      <ErasureFacts erasure={erasure} />
    </>
  );
}
