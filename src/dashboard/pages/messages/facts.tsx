import { Link } from "@tanstack/react-router";
import type { Message } from "../../api/messages.ts";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { sizeText } from "./size-text.ts";

/** The fields of a message beside its timeline. */
export function Facts({ message }: { readonly message: Message }) {
  const may = useMay();
  const { from, trace_id, routing_policy, template, template_version, tags, metadata } = message;
  const { size_bytes, source, header_message_id, key_id, opens, clicks, resent_from, incident_id } = message;
  const entries = Object.entries(metadata);
  return (
    <section className="card" aria-labelledby="facts">
      <header>
        <h2 id="facts">{t.common.details}</h2>
      </header>
      <div className="body">
        <dl className="facts">
          <dt>{t.message.from}</dt>
          <dd>{from}</dd>
          <dt>{t.message.traceId}</dt>
          <dd>
            <span className="mono">{trace_id}</span>
            {may("requests.read") && (
              <div>
                <Link to="/requests" search={{ trace_id }} className="link">
                  {t.message.showRequest}
                </Link>
              </div>
            )}
          </dd>
          <dt>{t.message.headerId}</dt>
          <dd className="mono">{header_message_id}</dd>
          {key_id && (
            <>
              <dt>{t.message.key}</dt>
              <dd className="mono">
                <Link to="/messages" search={{ key_id }} className="link">
                  {key_id}
                </Link>
              </dd>
            </>
          )}
          <dt>{t.message.policy}</dt>
          <dd>
            <Link to="/messages" search={{ routing_policy }} className="link">
              {routing_policy}
            </Link>
            {may("policies.read") && (
              <div>
                <Link to="/policies/$name" params={{ name: routing_policy }} className="link">
                  {t.message.showPolicy}
                </Link>
              </div>
            )}
          </dd>
          {template && (
            <>
              <dt>{t.message.template}</dt>
              <dd>
                <Link to="/messages" search={{ template }} className="link">
                  {t.message.templateVersion(template, template_version)}
                </Link>
                {may("templates.read") && (
                  <div>
                    <Link
                      to="/templates/$name"
                      params={{ name: template }}
                      search={template_version > 0 ? versionOf(template_version) : {}}
                      className="link"
                    >
                      {t.message.showTemplate}
                    </Link>
                  </div>
                )}
              </dd>
            </>
          )}
          {tags.length > 0 && (
            <>
              <dt>{t.message.tags}</dt>
              <dd className="row">
                {tags.map((tag) => (
                  <Link key={tag} to="/messages" search={{ tag }} className="chip small">
                    {tag}
                  </Link>
                ))}
              </dd>
            </>
          )}
          {entries.length > 0 && (
            <>
              <dt>{t.message.metadata}</dt>
              <dd className="mono">
                {entries.map(([name, value]) => (
                  <div key={name}>{`${name}=${value}`}</div>
                ))}
              </dd>
            </>
          )}
          <dt>{t.message.size}</dt>
          <dd className="num">{sizeText(size_bytes)}</dd>
          {source && (
            <>
              <dt>{t.message.sentOver}</dt>
              <dd>{t.messages.sources[source] ?? source}</dd>
            </>
          )}
          {opens && (
            <>
              <dt>{t.message.opens}</dt>
              <dd className="num">{t.message.engagement(opens.count, opens.machine_count)}</dd>
            </>
          )}
          {clicks && (
            <>
              <dt>{t.message.clicks}</dt>
              <dd className="num">{t.message.engagement(clicks.count, clicks.machine_count)}</dd>
            </>
          )}
          {incident_id && (
            <>
              <dt>{t.message.incident}</dt>
              <dd className="mono">{incident_id}</dd>
            </>
          )}
          {resent_from && (
            <>
              <dt>{t.message.resentFrom}</dt>
              <dd>
                <Link to="/messages/$messageId" params={{ messageId: resent_from }} className="link">
                  {t.message.firstMessage}
                </Link>
              </dd>
            </>
          )}
        </dl>
      </div>
    </section>
  );
}

/** The tab of a template with the preview of a version. */
const versionOf = (version: number) => ({ tab: "versions", version: String(version) }) as const;
