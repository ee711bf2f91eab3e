import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { InsightScope } from "../../api/insights.ts";
import { rowsOf } from "../../api/pages.ts";
import { type WatchChange, watchChangesBy } from "../../api/watches.ts";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { ChangeTable } from "./change-table.tsx";

const WEEK_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;
/** The page of all changes has the others. */
const SHOWN = 8;

/** The newest changes of the last seven days, after their number by kind. */
export function ThisWeek({ scope }: { readonly scope: InsightScope }) {
  // A full hour: a visit some minutes later uses the loaded answer.
  const [from] = useState(() =>
    new Date(Math.floor((Date.now() - WEEK_MS) / HOUR_MS) * HOUR_MS).toISOString(),
  );
  const query = useInfiniteQuery(watchChangesBy({ ...scope, from }));
  return (
    <section className="card" aria-labelledby="this-week">
      <header>
        <h2 id="this-week">{t.watchChanges.thisWeek}</h2>
        <Link to="/intel/changes" search={{ ...scope, from }} className="link">
          {t.watchChanges.all}
        </Link>
      </header>
      <StateView
        query={query}
        empty={{
          when: (data) => rowsOf(data).length === 0,
          view: (
            <div className="notice">
              <strong>{t.watchChanges.quiet}</strong>
            </div>
          ),
        }}
      >
        {(data) => (
          <>
            <p className="body tight">{summaryOf(rowsOf(data), query.hasNextPage)}</p>
            <ChangeTable rows={rowsOf(data).slice(0, SHOWN)} />
          </>
        )}
      </StateView>
    </section>
  );
}

/** The number of changes of each kind. @param isMore whether there are more than the loaded ones */
function summaryOf(changes: readonly WatchChange[], isMore: boolean): string {
  const counts = Object.entries(t.watchChanges.counts).flatMap(([kind, textOf]) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count > 0 ? [textOf(count)] : [];
  });
  return `${isMore ? `${t.watchChanges.newest(changes.length)} ` : ""}${counts.join(", ")}.`;
}
