import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Workspace, workspacesQuery } from "../../api/workspaces.ts";
import { Figure } from "../../parts/figure.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { scoreText } from "../clients/client-state.tsx";
import { Repairs } from "../intel-scope/repairs.tsx";
import { ScoreOverTime } from "../intel-scope/score-history.tsx";
import { MutesCard } from "../mutes/mutes-card.tsx";
import { ThisWeek } from "../watch-changes/this-week.tsx";
import { ClientsCard } from "./clients-card.tsx";
import { Facts } from "./facts.tsx";
import { NameWorkspace } from "./name-workspace.tsx";

const route = getRouteApi("/inside/intel/workspaces/$workspaceId");
const REPAIRS = 5;

/** A workspace: its score, the repairs that gain most over its domains, its clients, and what changed. */
export function WorkspacePage() {
  const { workspaceId } = route.useParams();
  const query = useQuery(workspacesQuery);
  const above = (
    <Link to="/intel/workspaces" className="link">
      {t.workspaces.title}
    </Link>
  );
  return (
    <StateView query={query}>
      {({ data }) => {
        const workspace = data.find(({ id }) => id === workspaceId);
        return workspace ? (
          <WorkspaceView key={workspace.id} workspace={workspace} />
        ) : (
          <PageHead title={t.problem.notFound} above={above} />
        );
      }}
    </StateView>
  );
}

function WorkspaceView({ workspace }: { readonly workspace: Workspace }) {
  const { id, name, counts, score_avg: score } = workspace;
  const { domains, domains_by_status: byStatus, listings_open: listings } = counts;
  const may = useMay();
  const [isRenaming, setRenaming] = useState(false);
  const { check } = route.useSearch();
  const navigate = route.useNavigate();
  const scope = { workspace_id: id };
  const { critical = 0, warning = 0 } = byStatus;
  return (
    <>
      <PageHead
        title={name}
        above={
          <Link to="/intel/workspaces" className="link">
            {t.workspaces.title}
          </Link>
        }
      >
        {may("intel.write") && (
          <Button variant="default" onClick={() => setRenaming(true)}>
            {t.workspaces.rename}
          </Button>
        )}
      </PageHead>
      <div className="figures">
        <Figure
          label={t.intel.score}
          value={scoreText(score)}
          detail={t.workspaces.meanOf(domains, counts.clients)}
        />
        <Figure
          label={t.intel.statuses.critical ?? ""}
          value={numberText(critical)}
          detail={t.clients.domainsOf}
          tone={critical > 0 ? "bad" : undefined}
        />
        <Figure
          label={t.intel.statuses.warning ?? ""}
          value={numberText(warning)}
          detail={t.clients.domainsOf}
          tone={warning > 0 ? "warn" : undefined}
        />
        <Figure
          label={t.intel.statuses.healthy ?? ""}
          value={numberText(byStatus.healthy ?? 0)}
          detail={t.clients.domainsOf}
        />
        <Figure
          label={t.workspaces.listings}
          value={numberText(listings)}
          detail={
            <Link to="/intel/blacklists" search={scope} className="link">
              {t.blacklists.title}
            </Link>
          }
          tone={listings > 0 ? "bad" : undefined}
        />
      </div>
      <div className="two">
        <Repairs
          scope={scope}
          most={REPAIRS}
          open={check}
          onOpen={(id) =>
            void navigate({
              search: id === undefined ? {} : { check: id },
              replace: true,
              resetScroll: false,
            })
          }
        />
        <Facts workspace={workspace} />
      </div>
      <ScoreOverTime scope={scope} />
      <ClientsCard workspaceId={id} />
      <ThisWeek scope={scope} />
      <MutesCard scope={scope} />
      {isRenaming && <NameWorkspace workspace={workspace} onClose={() => setRenaming(false)} />}
    </>
  );
}
