import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { rowsOf } from "../../api/pages.ts";
import { type Target, targetDeliveriesQuery, targetQuery } from "../../api/targets.ts";
import { Answer } from "../../parts/answer.tsx";
import { useDraft } from "../../parts/drafts/use-draft.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { UnsavedChanges } from "../../parts/unsaved-changes.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { contentOf, targetFormat } from "./content.ts";
import { Deliveries } from "./deliveries.tsx";
import { Facts } from "./facts.tsx";
import { SaveRow } from "./save-row.tsx";
import { targetTabs } from "./search.ts";
import { Secrets } from "./secrets.tsx";
import { TargetActions } from "./target-actions.tsx";
import { TargetForm } from "./target-form.tsx";
import { kindText, TargetState } from "./target-state.tsx";
import { UsedBy } from "./used-by.tsx";
import { whatNow } from "./what-now.ts";

const route = getRouteApi("/inside/targets/$targetId");

/** An alert target: its state and its notices, the rules that notify it, its settings and its secrets. */
export function TargetPage() {
  const { targetId } = route.useParams();
  const query = useQuery(targetQuery(targetId));
  return <StateView query={query}>{(target) => <TargetView key={target.id} target={target} />}</StateView>;
}

/** Holds the draft, which the tabs share. */
function TargetView({ target }: { readonly target: Target }) {
  const { tab = "overview" } = route.useSearch();
  const mayChange = useMay()("alerts.write");
  const draft = useDraft(contentOf(target), target.revision, targetFormat);
  return (
    <>
      <PageHead
        title={target.name}
        detail={
          <>
            <TargetState target={target} /> {kindText(target)}
            {target.description && `. ${target.description}`}
          </>
        }
        above={
          <Link to="/targets" className="link">
            {t.targets.title}
          </Link>
        }
      >
        {mayChange && <TargetActions target={target} />}
      </PageHead>
      <nav className="tabs" aria-label={t.common.details}>
        {targetTabs.map((one) => (
          <Link
            key={one}
            from="/targets/$targetId"
            search={one === "overview" ? {} : { tab: one }}
            aria-current={one === tab ? "page" : undefined}
            // The address without a tab is a prefix of the others.
            activeOptions={{ exact: true }}
            activeProps={{}}
            resetScroll={false}
          >
            {t.targets.tabs[one]}
          </Link>
        ))}
      </nav>
      {tab === "overview" && <Overview target={target} />}
      {tab === "settings" && (
        <>
          {!mayChange && (
            <Answer tone="info">
              <p>{t.targets.mayNotChange}</p>
            </Answer>
          )}
          <TargetForm draft={draft} former={target} isReadOnly={!mayChange} />
          {mayChange && <SaveRow target={target} draft={draft} />}
          {target.kind === "webhook" && <Secrets target={target} />}
        </>
      )}
      <UnsavedChanges
        isDirty={draft.isDirty}
        title={t.drafts.leaveTitle}
        detail={t.targets.leaveDetail}
        action={t.drafts.leave}
      />
    </>
  );
}

function Overview({ target }: { readonly target: Target }) {
  const deliveries = useInfiniteQuery(targetDeliveriesQuery(target.id));
  const { tone, texts } = whatNow(target, deliveries.data && rowsOf(deliveries.data), new Date());
  return (
    <>
      <Answer tone={tone}>
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </Answer>
      <div className="two">
        <Deliveries query={deliveries} />
        <div className="stack">
          <UsedBy target={target} />
          <Facts target={target} />
        </div>
      </div>
    </>
  );
}
