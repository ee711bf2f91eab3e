import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Workspace, workspacesQuery } from "../../api/workspaces.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useMay } from "../../parts/use-may.ts";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { scoreText } from "../clients/client-state.tsx";
import { NameWorkspace } from "./name-workspace.tsx";

const columns: readonly Column<Workspace>[] = [
  {
    heading: t.workspaces.name,
    cell: ({ id, name }) => (
      <Link to="/intel/workspaces/$workspaceId" params={{ workspaceId: id }} className="main">
        {name}
      </Link>
    ),
    className: "main wrap",
  },
  {
    heading: t.intel.score,
    cell: ({ score_avg: score }) => scoreText(score),
    className: "right num",
  },
  { heading: t.workspaces.clients, cell: ({ counts }) => numberText(counts.clients), className: "right num" },
  { heading: t.workspaces.domains, cell: ({ counts }) => numberText(counts.domains), className: "right num" },
  {
    heading: t.workspaces.listings,
    cell: ({ counts }) => numberText(counts.listings_open),
    className: "right num",
  },
];

/** Workspaces of the account. */
export function WorkspaceListPage() {
  const query = useQuery(workspacesQuery);
  const may = useMay();
  const [isAdding, setIsAdding] = useState(false);
  return (
    <>
      <PageHead title={t.workspaces.title} detail={t.workspaces.detail}>
        {may("intel.write") && <Button onClick={() => setIsAdding(true)}>{t.workspaces.create}</Button>}
      </PageHead>
      <div className="card">
        <StateView
          query={query}
          empty={{
            when: ({ data }) => data.length === 0,
            view: (
              <div className="notice">
                <strong>{t.workspaces.empty}</strong>
              </div>
            ),
          }}
        >
          {({ data }) => (
            <Table label={t.workspaces.title} columns={columns} rows={data} rowKey={({ id }) => id} />
          )}
        </StateView>
      </div>
      {isAdding && <NameWorkspace onClose={() => setIsAdding(false)} />}
    </>
  );
}
