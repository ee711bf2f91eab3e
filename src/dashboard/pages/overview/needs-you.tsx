import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { domainsQuery } from "../../api/domains.ts";
import { keysQuery } from "../../api/keys.ts";
import { StateBadge } from "../../parts/state-badge.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";

const MOST = 5;

/** Domains and keys that need attention; empty where nothing does. */
export function NeedsYou() {
  const may = useMay();
  const domains = useInfiniteQuery({ ...domainsQuery, enabled: may("domains.read") });
  const keys = useInfiniteQuery({ ...keysQuery(), enabled: may("keys.read") });
  const lost = (domains.data?.pages ?? [])
    .flatMap(({ data }) => data)
    .filter(({ status }) => status !== "verified");
  const unused = (keys.data?.pages ?? []).flatMap(({ data }) => data).filter(({ unused: is }) => is);
  const isEmpty = lost.length === 0 && unused.length === 0;
  return (
    <section className="card" aria-labelledby="needs-you">
      <header>
        <h2 id="needs-you">{t.overview.needsYou}</h2>
      </header>
      {isEmpty && <p className="notice muted">{t.overview.nothingNeedsYou}</p>}
      <ul className="todo">
        {lost.slice(0, MOST).map(({ name, status, reasons }) => (
          <li key={name}>
            <StateBadge tone={status === "failed" ? "bad" : "warn"}>{t.overview.domain}</StateBadge>
            <Link to="/domains/$domain" params={{ domain: name }}>
              {t.overview.about(name, reasons[0] ?? t.domains.statuses[status] ?? status)}
            </Link>
          </li>
        ))}
        {unused.slice(0, MOST).map(({ id, name, prefix }) => (
          <li key={id}>
            <StateBadge tone="idle">{t.overview.key}</StateBadge>
            <Link to="/keys">{t.overview.unusedKey(name || prefix)}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
