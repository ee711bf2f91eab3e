import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { rowsOf } from "../../api/pages.ts";
import { clientsBy } from "../../api/workspaces.ts";
import { StateView } from "../../parts/state-view.tsx";
import { Table } from "../../parts/table.tsx";
import { t } from "../../texts/texts.ts";
import { clientColumns } from "../clients/client-columns.tsx";

/** The page of all clients has the others. */
const SHOWN = 10;

/** The first clients of a workspace. */
export function ClientsCard({ workspaceId }: { readonly workspaceId: string }) {
  const query = useInfiniteQuery(clientsBy({ workspace_id: workspaceId }));
  return (
    <section className="card" aria-labelledby="clients">
      <header>
        <h2 id="clients">{t.clients.title}</h2>
        <Link to="/intel/clients" search={{ workspace_id: workspaceId }} className="link">
          {t.clients.all}
        </Link>
      </header>
      <StateView
        query={query}
        empty={{
          when: (data) => rowsOf(data).length === 0,
          view: (
            <div className="notice">
              <strong>{t.clients.empty}</strong>
              <p className="muted">{t.clients.emptyDetail}</p>
            </div>
          ),
        }}
      >
        {(data) => (
          <Table
            label={t.clients.title}
            columns={clientColumns}
            rows={rowsOf(data).slice(0, SHOWN)}
            rowKey={({ id }) => id}
          />
        )}
      </StateView>
    </section>
  );
}
