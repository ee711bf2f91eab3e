import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { home } from "../../api/client.ts";
import { installationQuery } from "../../api/installation.ts";
import { rowsOf } from "../../api/pages.ts";
import { alertRequestsQuery } from "../../api/requests.ts";
import { CodeBlock } from "../../parts/code-block.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { UnsavedChanges } from "../../parts/unsaved-changes.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { NotFound } from "../shell/page-faults.tsx";
import { Arrivals } from "./arrivals.tsx";
import { KeyStep } from "./key-step.tsx";
import { type AlertSource, isSource, pieces } from "./sources.ts";

const route = getRouteApi("/inside/alerts/set-up/$source");

/** The guide of one source: its key, its configuration, and its first alert. */
export function AlertSourcePage() {
  const { source } = route.useParams();
  return isSource(source) ? <SourceView key={source} source={source} /> : <NotFound />;
}

/** Placeholder of the key in the configuration until there is one. */
const PLACEHOLDER = "ALERT_KEY";

function SourceView({ source }: { readonly source: AlertSource }) {
  const { key: keyId } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const installation = useQuery(installationQuery);
  // The secret of a new key exists only here.
  const [created, setCreated] = useState<{ readonly id: string; readonly secret: string }>();
  const [isStored, setStored] = useState(false);
  const requests = useInfiniteQuery({
    ...alertRequestsQuery(keyId ?? ""),
    enabled: keyId !== undefined && may("requests.read"),
  });
  const secret = created?.id === keyId ? created?.secret : undefined;
  const hasArrived = rowsOf(requests.data).some(({ status }) => status === 202);
  return (
    <>
      <PageHead
        title={t.alertSetup.titleOf(t.alertSetup.names[source])}
        detail={t.alertSetup.details[source]}
        above={
          <Link to="/alerts/set-up" className="link">
            {t.alertSetup.title}
          </Link>
        }
      />
      <KeyStep
        source={source}
        keyId={keyId}
        secret={secret}
        isStored={isStored}
        onStored={setStored}
        onPick={(key) => void navigate({ search: key === undefined ? {} : { key }, replace: true })}
        onCreated={(key, value) => {
          setCreated({ id: key, secret: value });
          setStored(false);
          void navigate({ search: { key }, replace: true });
        }}
      />
      <section className="card" aria-labelledby="configuration">
        <header>
          <h2 id="configuration">{t.alertSetup.configuration}</h2>
        </header>
        <div className="body stack">
          <p className="tight">{t.alertSetup.steps[source]}</p>
          {secret === undefined && <p className="muted tight">{t.alertSetup.placeholder(PLACEHOLDER)}</p>}
          <StateView query={installation}>
            {({ base_url }) =>
              pieces[source]({
                baseUrl: base_url?.replace(/\/$/, "") ?? home,
                key: secret ?? PLACEHOLDER,
              }).map(({ kind, text }) => (
                <div key={kind}>
                  <p className="tight">{t.alertSetup.pieces[kind]}</p>
                  <CodeBlock label={t.alertSetup.pieces[kind]} text={text} />
                </div>
              ))
            }
          </StateView>
        </div>
      </section>
      <Arrivals keyId={keyId} query={requests} />
      <UnsavedChanges
        isDirty={secret !== undefined && !isStored && !hasArrived}
        title={t.alertSetup.leaveTitle}
        detail={t.alertSetup.leaveDetail}
        action={t.drafts.leave}
      />
    </>
  );
}
