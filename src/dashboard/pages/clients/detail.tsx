import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type IntelClient, pickedClientQuery } from "../../api/workspaces.ts";
import { Answer } from "../../parts/answer.tsx";
import { Figure } from "../../parts/figure.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { Repairs } from "../intel-scope/repairs.tsx";
import { ScoreOverTime } from "../intel-scope/score-history.tsx";
import { MutesCard } from "../mutes/mutes-card.tsx";
import { ThisWeek } from "../watch-changes/this-week.tsx";
import { ClientActions } from "./client-actions.tsx";
import { ClientState, scoreText } from "./client-state.tsx";
import { DomainsCard } from "./domains-card.tsx";
import { Facts } from "./facts.tsx";

const route = getRouteApi("/inside/intel/clients/$clientId");
/** A client asks for the most important repairs. The others follow on demand. */
const REPAIRS = 3;

/** A client: its score, the repairs that gain most, its domains, and what changed. */
export function ClientPage() {
  const { clientId } = route.useParams();
  const query = useQuery(pickedClientQuery(clientId));
  return <StateView query={query}>{(client) => <ClientView key={client.id} client={client} />}</StateView>;
}

function ClientView({ client }: { readonly client: IntelClient }) {
  const { id, name, workspace_id, counts, score } = client;
  const mayChange = useMay()("intel.write");
  const { check } = route.useSearch();
  const navigate = route.useNavigate();
  const scope = { workspace_id, client_id: id };
  return (
    <>
      <PageHead
        title={name}
        detail={<ClientState client={client} />}
        above={
          <Link to="/intel/clients" search={{ workspace_id }} className="link">
            {t.clients.title}
          </Link>
        }
      >
        {mayChange && <ClientActions client={client} />}
      </PageHead>
      {client.status === "archived" && (
        <Answer tone="info">
          <p>{t.clients.archivedDetail}</p>
        </Answer>
      )}
      <div className="figures">
        <Figure label={t.intel.score} value={scoreText(score)} detail={t.clients.scoreDetail} />
        <Figure label={t.workspaces.domains} value={numberText(counts.domains)} detail={t.clients.ofClient} />
        <Figure
          label={t.intel.statuses.critical ?? ""}
          value={numberText(counts.critical)}
          detail={t.clients.domainsOf}
          tone={counts.critical > 0 ? "bad" : undefined}
        />
        <Figure
          label={t.intel.statuses.warning ?? ""}
          value={numberText(counts.warning)}
          detail={t.clients.domainsOf}
          tone={counts.warning > 0 ? "warn" : undefined}
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
        <Facts client={client} />
      </div>
      <ScoreOverTime scope={scope} />
      <DomainsCard client={client} />
      <ThisWeek scope={scope} />
      <MutesCard scope={scope} />
    </>
  );
}
