import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { filterNames, type MessageFilter, messagesQuery } from "../../api/messages.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { readTexts } from "../../parts/read-texts.ts";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { MatchActions } from "./bulk-actions.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { Filters } from "./filters.tsx";
import { LiveChip, MatchCount } from "./list-status.tsx";
import { MessageList } from "./message-list.tsx";
import { queryFaultsOf } from "./query-faults.ts";
import { SearchBox } from "./search-box.tsx";
import { useListView, ViewMenu } from "./view-menu.tsx";

const route = getRouteApi("/inside/messages");

/** All messages of the account, newest first. The address has the filters. */
export function MessageListPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const [view, setView] = useListView();
  const query = useInfiniteQuery(messagesQuery(filter));
  const faults = queryFaultsOf(query.error);
  const isFiltered = Object.keys(filter).length > 0;
  const change = (changes: MessageFilter) =>
    void navigate({ search: readTexts({ ...filter, ...changes }, filterNames), replace: true });
  const clear = () => void navigate({ search: {} });

  return (
    <>
      <PageHead
        title={t.messages.title}
        detail={faults.length === 0 && <MatchCount key={JSON.stringify(filter)} filter={filter} />}
      >
        {isFiltered && faults.length === 0 && may("messages.write") && <MatchActions filter={filter} />}
        <ExportMenu filter={filter} />
      </PageHead>
      <search className="stack small-gap">
        <SearchBox value={filter.q} faults={faults} onSearch={(q) => change({ q })} />
        <div className="row">
          <Filters filter={filter} onChange={change} onClear={clear} />
          <span className="row push">
            <LiveChip />
            <ViewMenu view={view} onChange={setView} />
          </span>
        </div>
      </search>
      <div className="card list">
        {faults.length > 0 ? (
          <div className="notice">
            <strong>{t.messages.fault}</strong>
            <p className="muted">{t.messages.faultDetail}</p>
          </div>
        ) : (
          <StateView
            // The error of a failed page is shown below the rows.
            query={query.isFetchNextPageError ? { ...query, error: null } : query}
          >
            {({ pages }) => (
              <MessageList
                key={JSON.stringify(filter)}
                filter={filter}
                query={query}
                pages={pages}
                columns={view.columns}
                density={view.density}
                onClear={clear}
              />
            )}
          </StateView>
        )}
      </div>
    </>
  );
}
