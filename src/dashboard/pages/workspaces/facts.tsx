import { Link } from "@tanstack/react-router";
import type { Workspace } from "../../api/workspaces.ts";
import { Fact } from "../../parts/fact.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";

/** Limits and set-up of a workspace, with links to the pages that show its data. */
export function Facts({ workspace }: { readonly workspace: Workspace }) {
  const { id, counts, plan_limits: limits, resolver, created_at: at } = workspace;
  const may = useMay();
  const search = { workspace_id: id };
  return (
    <section className="card" aria-labelledby="facts">
      <header>
        <h2 id="facts">{t.common.details}</h2>
      </header>
      <div className="body stack small-gap">
        <dl className="facts">
          <Fact name={t.workspaces.clients}>{t.workspaces.countOf(counts.clients, limits.clients)}</Fact>
          <Fact name={t.workspaces.domains}>{t.workspaces.countOf(counts.domains, limits.domains)}</Fact>
          <Fact name={t.workspaces.resolver}>
            {resolver.dnssec === null
              ? t.workspaces.dnssecUnknown
              : resolver.dnssec
                ? t.workspaces.dnssec
                : t.workspaces.noDnssec}
          </Fact>
          <Fact name={t.clients.since}>
            <Time at={at} />
          </Fact>
          <Fact name={t.clients.id}>
            <span className="mono">{id}</span>
          </Fact>
        </dl>
        <nav className="stack small-gap" aria-label={t.clients.pages}>
          <Link to="/intel/domains" search={search} className="link">
            {t.watches.title}
          </Link>
          <Link to="/intel/reports" search={search} className="link">
            {t.intelReports.title}
          </Link>
          <Link to="/intel/schedules" search={search} className="link">
            {t.reportSchedules.title}
          </Link>
          <Link to="/intel/labels" search={search} className="link">
            {t.labels.title}
          </Link>
          <Link to="/intel/dmarc" search={search} className="link">
            {t.dmarc.title}
          </Link>
          {may("intel.write") && (
            <Link to="/intel/import" search={search} className="link">
              {t.watchImport.title}
            </Link>
          )}
          {may("keys.read") && (
            <Link to="/keys" search={{ kind: "deliverability" }} className="link">
              {t.shell.keys}
            </Link>
          )}
        </nav>
      </div>
    </section>
  );
}
