import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { type Watch, watchQuery } from "../../api/watches.ts";
import { pickedClientQuery } from "../../api/workspaces.ts";
import { useDraft } from "../../parts/drafts/use-draft.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { Pending, StateView } from "../../parts/state-view.tsx";
import { UnsavedChanges } from "../../parts/unsaved-changes.tsx";
import { t } from "../../texts/texts.ts";
import { MutesCard } from "../mutes/mutes-card.tsx";
import { settingsOf, watchFormat } from "./content.ts";
import { Facts } from "./facts.tsx";
import { Repairs } from "./repairs.tsx";
import { ReportCard } from "./report-card.tsx";
import { Settings } from "./settings.tsx";
import { Summary } from "./summary.tsx";
import { watchTabs } from "./tabs.ts";
import { useCheckNow } from "./use-check-now.ts";
import { WatchActions } from "./watch-actions.tsx";
import { WatchState } from "./watch-state.tsx";

const route = getRouteApi("/inside/intel/domains/$domainId");
const Checks = lazy(async () => ({ default: (await import("./checks.tsx")).Checks }));
const History = lazy(async () => ({ default: (await import("./history.tsx")).History }));

/** A watched domain: its repairs with their gain, all checks, its history, and its settings. */
export function WatchPage() {
  const { domainId } = route.useParams();
  const check = useCheckNow(domainId);
  const query = useQuery(watchQuery(domainId, check.isPending));
  return (
    <StateView query={query}>{(watch) => <WatchView key={watch.id} watch={watch} check={check} />}</StateView>
  );
}

interface WatchViewProps {
  readonly watch: Watch;
  readonly check: ReturnType<typeof useCheckNow>;
}

/** Holds the draft, which the tabs share. */
function WatchView({ watch, check }: WatchViewProps) {
  const { tab = "repairs" } = route.useSearch();
  const client = useQuery(pickedClientQuery(watch.client_id));
  const draft = useDraft(settingsOf(watch), watch.revision, watchFormat);
  return (
    <>
      <PageHead
        title={watch.name_unicode}
        detail={
          <span className="row">
            <WatchState status={watch.status} />
            <Link to="/intel/clients/$clientId" params={{ clientId: watch.client_id }} className="link">
              {client.data?.name ?? watch.client_id}
            </Link>
          </span>
        }
        above={
          <Link to="/intel/domains" className="link">
            {t.watches.title}
          </Link>
        }
      >
        <WatchActions watch={watch} check={check} />
      </PageHead>
      <nav className="tabs" aria-label={t.common.details}>
        {watchTabs.map((one) => (
          <Link
            key={one}
            from="/intel/domains/$domainId"
            search={one === "repairs" ? {} : { tab: one }}
            aria-current={one === tab ? "page" : undefined}
            // The address without a tab is a prefix of the others.
            activeOptions={{ exact: true }}
            activeProps={{}}
            resetScroll={false}
          >
            {t.watches.tabs[one]}
          </Link>
        ))}
      </nav>
      {(tab === "repairs" || check.isPending || check.error) && <Summary watch={watch} check={check} />}
      {tab === "repairs" && (
        <>
          <div className="two">
            <Repairs watch={watch} />
            <div className="stack">
              <Facts watch={watch} />
              <ReportCard watch={watch} />
            </div>
          </div>
          <MutesCard scope={{ domain_id: watch.id }} />
        </>
      )}
      <Suspense fallback={<Pending />}>
        {tab === "checks" && <Checks watch={watch} />}
        {tab === "history" && <History watch={watch} />}
      </Suspense>
      {tab === "settings" && <Settings watch={watch} draft={draft} />}
      <UnsavedChanges
        isDirty={draft.isDirty}
        title={t.drafts.leaveTitle}
        detail={t.watches.leaveDetail}
        action={t.drafts.leave}
      />
    </>
  );
}
