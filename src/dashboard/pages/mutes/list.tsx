import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { mutesBy } from "../../api/insights.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { readTexts } from "../../parts/read-texts.ts";
import { t } from "../../texts/texts.ts";
import { ScopeFilters } from "../intel-scope/scope-filters.tsx";
import { MuteTable } from "./mute-table.tsx";

const route = getRouteApi("/inside/intel/mutes");

/** Mutes of the checks of a workspace, client or domain. The address has the filters. */
export function MuteListPage() {
  const scope = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(mutesBy(scope));
  return (
    <>
      <PageHead title={t.mutes.title} detail={t.mutes.detail} />
      <search className="row">
        <ScopeFilters
          scope={scope}
          onChange={(changes) =>
            void navigate({
              search: readTexts({ ...scope, ...changes }, ["workspace_id", "client_id", "domain_id"]),
              replace: true,
            })
          }
        />
      </search>
      <ListCard query={query} empty={{ title: t.mutes.empty, detail: t.mutes.emptyDetail }}>
        {(rows) => <MuteTable rows={rows} />}
      </ListCard>
    </>
  );
}
