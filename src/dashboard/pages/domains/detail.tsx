import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type Domain, domainQuery } from "../../api/domains.ts";
import { Answer } from "../../parts/answer.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { DkimKeys } from "./dkim-keys.tsx";
import { DomainActions } from "./domain-actions.tsx";
import { DomainStatus, domainTone } from "./domain-status.tsx";
import { RecordCard } from "./record-card.tsx";

const route = getRouteApi("/inside/domains/$domain");

/** One sending domain: what to publish, what was found, and its keys. */
export function DomainPage() {
  const { domain } = route.useParams();
  const query = useQuery(domainQuery(domain));
  return <StateView query={query}>{(found) => <DomainView domain={found} />}</StateView>;
}

function DomainView({ domain }: { readonly domain: Domain }) {
  const { name, status, may_send, reasons, records, keys, dns_provider, checked_at } = domain;
  const tone = may_send ? domainTone(status) : "warn";
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
          <p className="row">
            <DomainStatus status={status} />
            {checked_at && (
              <span>
                {t.domains.checked} <Time at={checked_at} withDay />
              </span>
            )}
          </p>
        </div>
        <DomainActions domain={domain} />
      </div>
      <Answer tone={tone}>
        <p>
          <b>{may_send ? t.domains.maySend : t.domains.mayNotSend}</b>
        </p>
        {reasons.map((reason) => (
          <p key={reason} className="muted">
            {reason}
          </p>
        ))}
      </Answer>
      <section className="stack" aria-labelledby="records">
        <div>
          <h2 id="records">{t.domains.publish}</h2>
          <p className="muted tight">
            {dns_provider ? t.domains.publishAt(dns_provider) : t.domains.publishAnywhere}
          </p>
        </div>
        {wanted.map((record) => (
          <RecordCard key={record.key} record={record} />
        ))}
      </section>
      {others.length > 0 && (
        <section className="stack" aria-labelledby="others">
          <h2 id="others">{t.domains.others}</h2>
          {others.map((record) => (
            <RecordCard key={record.key} record={record} />
          ))}
        </section>
      )}
      <DkimKeys keys={keys} />
    </>
  );
}
