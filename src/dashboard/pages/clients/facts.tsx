import { Link } from "@tanstack/react-router";
import type { IntelClient } from "../../api/workspaces.ts";
import { Fact } from "../../parts/fact.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

/** The settings of a client, with links to the pages that show its data. */
export function Facts({ client }: { readonly client: IntelClient }) {
  const { id, workspace_id, contact_emails: contacts, tags, external_ref: ref, notes } = client;
  return (
    <section className="card" aria-labelledby="facts">
      <header>
        <h2 id="facts">{t.common.details}</h2>
      </header>
      <div className="body stack small-gap">
        <dl className="facts">
          <Fact name={t.clients.fields.contact_emails}>{contacts.join(", ") || t.clients.noContacts}</Fact>
          {ref !== null && <Fact name={t.clients.fields.external_ref}>{ref}</Fact>}
          {tags.length > 0 && (
            <Fact name={t.clients.fields.tags}>
              <span className="row">
                {tags.map((tag) => (
                  <Link key={tag} to="/intel/clients" search={{ workspace_id, tag }} className="link">
                    {tag}
                  </Link>
                ))}
              </span>
            </Fact>
          )}
          {notes !== null && <Fact name={t.clients.fields.notes}>{notes}</Fact>}
          <Fact name={t.clients.reportsIn}>
            {client.locale}, {client.timezone}
          </Fact>
          <Fact name={t.clients.since}>
            <Time at={client.created_at} />
          </Fact>
          <Fact name={t.clients.id}>
            <span className="mono">{id}</span>
          </Fact>
        </dl>
        <nav className="stack small-gap" aria-label={t.clients.pages}>
          <Link to="/intel/domains" search={{ workspace_id, client_id: id }} className="link">
            {t.watches.title}
          </Link>
          <Link
            to="/intel/reports"
            search={{ workspace_id, scope_type: "client", scope_id: id }}
            className="link"
          >
            {t.intelReports.title}
          </Link>
          <Link to="/intel/schedules" search={{ workspace_id }} className="link">
            {t.reportSchedules.title}
          </Link>
          <Link to="/intel/labels/$labelId" params={{ labelId: id }} className="link">
            {t.clients.label}
          </Link>
          <Link to="/intel/dmarc" search={{ workspace_id, client_id: id }} className="link">
            {t.dmarc.title}
          </Link>
          <Link to="/intel/blacklists" search={{ workspace_id, client_id: id }} className="link">
            {t.blacklists.title}
          </Link>
        </nav>
      </div>
    </section>
  );
}
