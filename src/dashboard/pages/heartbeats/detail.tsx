import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type Heartbeat, heartbeatQuery } from "../../api/heartbeats.ts";
import { Answer } from "../../parts/answer.tsx";
import { useDraft } from "../../parts/drafts/use-draft.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { useNow } from "../../parts/time.tsx";
import { UnsavedChanges } from "../../parts/unsaved-changes.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { contentOf, heartbeatFormat } from "./content.ts";
import { Facts } from "./facts.tsx";
import { HeartbeatActions } from "./heartbeat-actions.tsx";
import { HeartbeatForm } from "./heartbeat-form.tsx";
import { HeartbeatState } from "./heartbeat-state.tsx";
import { Notified } from "./notified.tsx";
import { Pings } from "./pings.tsx";
import { SaveRow } from "./save-row.tsx";
import { SetUp } from "./set-up.tsx";
import { heartbeatTabs } from "./tabs.ts";
import { whatNow } from "./what-now.ts";

const route = getRouteApi("/inside/heartbeats/$heartbeatId");

/** A heartbeat: its state and its pings, the commands of its job, and its settings. */
export function HeartbeatPage() {
  const { heartbeatId } = route.useParams();
  const query = useQuery(heartbeatQuery(heartbeatId));
  return (
    <StateView query={query}>
      {(heartbeat) => <HeartbeatView key={heartbeat.id} heartbeat={heartbeat} />}
    </StateView>
  );
}

/** Holds the draft, which the tabs share. */
function HeartbeatView({ heartbeat }: { readonly heartbeat: Heartbeat }) {
  const { tab = "overview" } = route.useSearch();
  const mayChange = useMay()("alerts.write");
  const draft = useDraft(contentOf(heartbeat), heartbeat.revision, heartbeatFormat);
  const now = useNow(true);
  const { tone, texts } = whatNow(heartbeat, now);
  return (
    <>
      <PageHead
        title={heartbeat.name}
        detail={<HeartbeatState heartbeat={heartbeat} now={now} />}
        above={
          <Link to="/heartbeats" className="link">
            {t.heartbeats.title}
          </Link>
        }
      >
        {mayChange && <HeartbeatActions heartbeat={heartbeat} />}
      </PageHead>
      <nav className="tabs" aria-label={t.common.details}>
        {heartbeatTabs.map((one) => (
          <Link
            key={one}
            from="/heartbeats/$heartbeatId"
            search={one === "overview" ? {} : { tab: one }}
            aria-current={one === tab ? "page" : undefined}
            // The address without a tab is a prefix of the others.
            activeOptions={{ exact: true }}
            activeProps={{}}
            resetScroll={false}
          >
            {t.heartbeats.tabs[one]}
          </Link>
        ))}
      </nav>
      {tab !== "settings" && (
        <Answer tone={tone}>
          {texts.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Answer>
      )}
      {tab === "overview" && (
        <div className="two">
          <Pings heartbeatId={heartbeat.id} />
          <div className="stack">
            <Notified heartbeat={heartbeat} />
            <Facts heartbeat={heartbeat} />
          </div>
        </div>
      )}
      {tab === "setup" && <SetUp heartbeat={heartbeat} />}
      {tab === "settings" && (
        <>
          {!mayChange && (
            <Answer tone="info">
              <p>{t.heartbeats.mayNotChange}</p>
            </Answer>
          )}
          <HeartbeatForm draft={draft} isReadOnly={!mayChange} />
          {mayChange && <SaveRow heartbeat={heartbeat} draft={draft} />}
        </>
      )}
      <UnsavedChanges
        isDirty={draft.isDirty}
        title={t.drafts.leaveTitle}
        detail={t.heartbeats.leaveDetail}
        action={t.drafts.leave}
      />
    </>
  );
}
