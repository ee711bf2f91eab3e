import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type InsightScope, mutesBy } from "../../api/insights.ts";
import { rowsOf } from "../../api/pages.ts";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { MuteTable } from "./mute-table.tsx";

/** The page of all mutes has the others. */
const SHOWN = 5;

/** The mutes of a workspace or client that end first. */
export function MutesCard({ scope }: { readonly scope: InsightScope }) {
  const query = useInfiniteQuery(mutesBy(scope));
  return (
    <section className="card" aria-labelledby="mutes">
      <header>
        <h2 id="mutes">{t.mutes.title}</h2>
        <Link to="/intel/mutes" search={scope} className="link">
          {t.mutes.all}
        </Link>
      </header>
      <StateView
        query={query}
        empty={{
          when: (data) => rowsOf(data).length === 0,
          view: <p className="body muted tight">{t.mutes.none}</p>,
        }}
      >
        {(data) => <MuteTable rows={rowsOf(data).slice(0, SHOWN)} />}
      </StateView>
    </section>
  );
}
