import { Link } from "@tanstack/react-router";
import type { Watch } from "../../api/watches.ts";
import { Fact } from "../../parts/fact.tsx";
import { t } from "../../texts/texts.ts";

/** The settings of a domain, with links to its reports and its blacklist entries. */
export function Facts({ watch }: { readonly watch: Watch }) {
  const { id, role, tags, notes, dkim_selectors: selectors, sending_ips: addresses } = watch;
  const { listings_open: listings } = watch;
  const list = (values: readonly string[]) => values.join(", ") || t.watches.noValue;
  return (
    <section className="card" aria-labelledby="facts">
      <header>
        <h2 id="facts">{t.common.details}</h2>
        <Link from="/intel/domains/$domainId" search={{ tab: "settings" }} className="link">
          {t.watches.tabs.settings}
        </Link>
      </header>
      <div className="body">
        <dl className="facts">
          <Fact name={t.watches.role}>{t.watches.roles[role] ?? role}</Fact>
          {tags.length > 0 && (
            <Fact name={t.watches.tags}>
              <span className="row">
                {tags.map((tag) => (
                  <Link key={tag} to="/intel/domains" search={{ tag }} className="link">
                    {tag}
                  </Link>
                ))}
              </span>
            </Fact>
          )}
          <Fact name={t.watches.selectors}>
            <span className="mono">{list(selectors)}</span>
          </Fact>
          <Fact name={t.watches.addresses}>
            <span className="mono">{list(addresses)}</span>
          </Fact>
          <Fact name={t.watches.listings}>
            <Link to="/intel/blacklists" search={{ domain_id: id }} className="link">
              {t.watches.listingsOf(listings)}
            </Link>
          </Fact>
          <Fact name={t.intelReports.title}>
            <Link to="/intel/reports" search={{ scope_type: "domain", scope_id: id }} className="link">
              {t.watches.reportsLink}
            </Link>
          </Fact>
          {watch.hosted_by_hermod && (
            <Fact name={t.watches.hosted}>
              <Link to="/domains/$domain" params={{ domain: watch.name }} className="link">
                {t.watches.isHosted}
              </Link>
            </Fact>
          )}
          {notes && (
            <Fact name={t.watches.notes}>
              <span className="wrapped">{notes}</span>
            </Fact>
          )}
          <Fact name={t.watches.id}>
            <span className="mono">{id}</span>
          </Fact>
        </dl>
      </div>
    </section>
  );
}
