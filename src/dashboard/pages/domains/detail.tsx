import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type Domain, domainQuery } from "../../api/domains.ts";
import { pollMs } from "../../api/live.ts";
import { pollEvery } from "../../api/polling.ts";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { CheckPanel } from "./check-panel.tsx";
import { DkimKeys } from "./dkim-keys.tsx";
import { DomainActions } from "./domain-actions.tsx";
import { DomainStatus } from "./domain-status.tsx";
import { RecordCard } from "./record-card.tsx";
import { Records } from "./records.tsx";

const route = getRouteApi("/inside/domains/$domain");
/** For checks that the stream of events did not report. */
const LOOK_AGAIN_MS = 15_000;
const SLOW_MS = 60_000;

/** One sending domain: records to publish, records found, and keys. */
export function DomainPage() {
  const { domain } = route.useParams();
  const query = useQuery({
    ...domainQuery(domain),
    refetchInterval: pollEvery<Domain>((data) =>
      data === undefined || data.status === "verified" ? false : pollMs(SLOW_MS, LOOK_AGAIN_MS),
    ),
  });
  return <StateView query={query}>{(found) => <DomainView key={found.name} domain={found} />}</StateView>;
}

function DomainView({ domain }: { readonly domain: Domain }) {
  const { name, status, records, dns_provider } = domain;
  const wanted = records.filter(({ by_owner, value }) => by_owner && value !== "");
  const others = records.filter((one) => !wanted.includes(one));
  return (
    <>
      <div className="head">
        <div>
          <div className="faint">
            <Link to="/domains" className="link">
              {t.domains.title}
            </Link>{" "}
            / {name}
          </div>
          <h1>{name}</h1>
          <p>
            <DomainStatus status={status} />
          </p>
        </div>
        <DomainActions domain={domain} />
      </div>
      <CheckPanel domain={domain} />
      <Records domain={name} provider={dns_provider} records={wanted} />
      {others.length > 0 && (
        <section className="stack" aria-labelledby="others">
          <h2 id="others">{t.domains.others}</h2>
          {others.map((record) => (
            <RecordCard key={record.key} record={record} shown={record} />
          ))}
        </section>
      )}
      <DkimKeys domain={domain} />
    </>
  );
}
