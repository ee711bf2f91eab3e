import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { attentionQuery } from "../../api/counters.ts";
import { type DomainFilter, domainsBy } from "../../api/domains.ts";
import { keysQuery } from "../../api/keys.ts";
import { rowsOf } from "../../api/pages.ts";
import { useSearchOn } from "../../parts/list-card.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { areLoaded, StateOfAll } from "../../parts/state-view.tsx";
import { timeText } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { domainTone } from "../domains/domain-status.tsx";
import { reasonsOf } from "../domains/reasons-of.ts";

const MOST = 5;

/**
 * Domains and keys that need attention; empty if none does. The server finds them, so that the first page of a list does not
 * decide.
 */
export function NeedsYou() {
  const may = useMay();
  const mayDomains = may("domains.read");
  const domains = [
    useDomains("failed", mayDomains),
    useDomains("degraded", mayDomains),
    useDomains("verifying", mayDomains),
    useDomains("unverified", mayDomains),
  ];
  const keys = useInfiniteQuery({ ...keysQuery({ state: "unused" }), enabled: may("keys.read") });
  useSearchOn(keys);
  const lost = domains.flatMap(({ data }) => rowsOf(data));
  const unused = rowsOf(keys.data);
  const hasMoreLost = lost.length > MOST || domains.some(({ hasNextPage }) => hasNextPage);
  const hasMoreUnused = unused.length > MOST || keys.hasNextPage;
  const attention = useQuery({ ...attentionQuery, enabled: may("keys.read") });
  const queries = [...domains, keys, attention];
  const {
    webhooks = [],
    expiring_keys: expiring = [],
    expiring_key_count: expiringCount = 0,
    holds = [],
    hold_count: holdCount = 0,
  } = attention.data ?? {};
  const count = lost.length + unused.length + webhooks.length + expiringCount + holdCount;
  const isEmpty = count === 0 && !hasMoreLost && !hasMoreUnused;
  return (
    <section className="card" aria-labelledby="needs-you">
      <header>
        <h2 id="needs-you">{t.overview.needsYou}</h2>
      </header>
      <StateOfAll queries={queries} />
      {isEmpty && areLoaded(queries) && <p className="notice muted">{t.overview.nothingNeedsYou}</p>}
      <ul className="todo">
        {webhooks.map(({ id, url, since, is_disabled: isDisabled }) => (
          <li key={id}>
            <StateBadge tone="bad">{t.overview.webhook}</StateBadge>
            <Link to="/webhooks/$webhookId" params={{ webhookId: id }} className="wrap">
              {isDisabled
                ? t.overview.disabledWebhook(url)
                : t.overview.failingWebhook(url, timeText(since, new Date(), true))}
            </Link>
          </li>
        ))}
        {holds.map(({ policy, destination }) => (
          <li key={`${policy} ${destination}`}>
            <StateBadge tone="warn">{t.overview.held}</StateBadge>
            <Link to="/policies/$name" params={{ name: policy }} search={{ tab: "queue" }}>
              {t.overview.heldQueue(policy, destination)}
            </Link>
          </li>
        ))}
        {holdCount > holds.length && (
          <li>
            <StateBadge tone="warn">{t.overview.held}</StateBadge>
            <Link to="/policies">{t.overview.moreHolds(holdCount - holds.length)}</Link>
          </li>
        )}
        {expiring.map(({ id, name, prefix, expires_at: at }) => (
          <li key={id}>
            <StateBadge tone="warn">{t.overview.key}</StateBadge>
            <Link to="/keys/$keyId" params={{ keyId: id }}>
              {t.overview.expiringKey(name || prefix, timeText(at, new Date(), true))}
            </Link>
          </li>
        ))}
        {expiringCount > expiring.length && (
          <li>
            <StateBadge tone="warn">{t.overview.key}</StateBadge>
            <Link to="/keys">{t.overview.moreExpiring(expiringCount - expiring.length)}</Link>
          </li>
        )}
        {lost.slice(0, MOST).map(({ name, status, ...domain }) => (
          <li key={name}>
            <StateBadge tone={domainTone(status)}>{t.overview.domain}</StateBadge>
            <Link to="/domains/$domain" params={{ domain: name }}>
              {t.overview.about(name, reasonsOf(domain)[0] ?? t.domains.statuses[status] ?? status)}
            </Link>
          </li>
        ))}
        {hasMoreLost && (
          <li>
            <StateBadge tone="warn">{t.overview.domain}</StateBadge>
            <Link to="/domains">{t.overview.moreDomains}</Link>
          </li>
        )}
        {unused.slice(0, MOST).map(({ id, name, prefix }) => (
          <li key={id}>
            <StateBadge tone="idle">{t.overview.key}</StateBadge>
            <Link to="/keys/$keyId" params={{ keyId: id }}>
              {t.overview.unusedKey(name || prefix)}
            </Link>
          </li>
        ))}
        {hasMoreUnused && (
          <li>
            <StateBadge tone="idle">{t.overview.key}</StateBadge>
            <Link to="/keys" search={{ state: "unused" }}>
              {t.overview.moreUnused}
            </Link>
          </li>
        )}
      </ul>
    </section>
  );
}

/** Domains with one status. Further pages are loaded until there is an entry. */
function useDomains(status: NonNullable<DomainFilter["status"]>, enabled: boolean) {
  const query = useInfiniteQuery({ ...domainsBy({ status }), enabled });
  useSearchOn(query);
  return query;
}
