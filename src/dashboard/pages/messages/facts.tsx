import type { Message } from "../../api/messages.ts";
import { t } from "../../texts/texts.ts";
import { sizeText } from "./size-text.ts";

/** The fields of a message beside its timeline. */
export function Facts({ message }: { readonly message: Message }) {
  const { from, trace_id, routing_policy, template, template_version, tags, metadata, size_bytes, source } =
    message;
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
          <dd className="mono">{trace_id}</dd>
          <dt>{t.message.policy}</dt>
          <dd>{routing_policy}</dd>
          {template && (
            <>
              <dt>{t.message.template}</dt>
              <dd>{t.message.templateVersion(template, template_version)}</dd>
            </>
          )}
          {tags.length > 0 && (
            <>
              <dt>{t.message.tags}</dt>
              <dd className="row">
                {tags.map((tag) => (
                  <span key={tag} className="chip small">
                    {tag}
                  </span>
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
              <dd>{source}</dd>
            </>
          )}
        </dl>
      </div>
    </section>
  );
}
