import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type Label, labelsQuery } from "../../api/labels.ts";
import { workspacesQuery } from "../../api/workspaces.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { ClientPick } from "../intel-scope/client-pick.tsx";
import { WorkspacePick } from "../intel-scope/workspace-pick.tsx";

const route = getRouteApi("/inside/intel/labels");

const columns: readonly Column<Label>[] = [
  {
    heading: t.labels.issuer,
    cell: ({ id, name }) => (
      <Link to="/intel/labels/$labelId" params={{ labelId: id }} className="main">
        {name ?? t.labels.noName}
      </Link>
    ),
    className: "main wrap",
  },
  {
    heading: t.labels.for,
    cell: ({ scope }) => t.intelReports.scopes[scope] ?? scope,
    className: "muted",
  },
  {
    heading: t.labels.color,
    cell: ({ color, colors }) => (
      <span className="row">
        <span className="swatch" style={{ background: colors.fill }} aria-hidden="true" />
        <span className="mono">{color ?? t.labels.defaultColor}</span>
      </span>
    ),
  },
  {
    heading: t.labels.logo,
    cell: ({ logo }) => (logo ? t.labels.size(logo.width, logo.height) : t.labels.noLogo),
    className: "muted grow",
  },
  {
    heading: t.labels.updated,
    cell: ({ updated_at: at }) => <Time at={at} withDay />,
    className: "right muted",
  },
];

/** Names, colors and logos of the issuers of reports. */
export function LabelListPage() {
  const { workspace_id } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const query = useInfiniteQuery(labelsQuery(workspace_id));
  const workspaces = useQuery(workspacesQuery);
  const open = (labelId: string) => void navigate({ to: "/intel/labels/$labelId", params: { labelId } });
  const workspace = workspace_id ?? workspaces.data?.data[0]?.id;
  return (
    <>
      <PageHead
        title={t.labels.title}
        detail={t.labels.detail}
        above={
          <Link to="/intel/reports" className="link">
            {t.intelReports.title}
          </Link>
        }
      >
        {may("intel.write") && workspace && (
          <Button onClick={() => open(workspace)}>{t.labels.ofWorkspace}</Button>
        )}
      </PageHead>
      <search className="row">
        <WorkspacePick
          value={workspace_id}
          onPick={(picked) =>
            void navigate({ search: picked ? { workspace_id: picked } : {}, replace: true })
          }
        />
        {may("intel.write") && (
          <ClientPick
            workspace={workspace_id}
            value={undefined}
            action={t.labels.ofClient}
            onPick={(id) => id !== undefined && open(id)}
          />
        )}
      </search>
      <ListCard query={query} empty={{ title: t.labels.empty, detail: t.labels.emptyDetail }}>
        {(rows) => <Table label={t.labels.title} columns={columns} rows={rows} rowKey={({ id }) => id} />}
      </ListCard>
    </>
  );
}
