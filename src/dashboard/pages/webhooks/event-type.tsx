import type { WebhookEventType } from "../../api/webhooks.ts";
import { CopyAction } from "../../parts/copy-action.tsx";
import { t } from "../../texts/texts.ts";
import { fieldsOf } from "./schema-fields.ts";

/** One event type: its fields, and an example of its payload. */
export function EventType({ shown }: { readonly shown: WebhookEventType }) {
  const { type, version, schema, example, is_subscribable } = shown;
  const text = JSON.stringify(example, null, 2);
  return (
    <div className="stack">
      <p className="faint tight">
        {t.events.version(version)}
        {!is_subscribable && ` · ${t.events.onlyTests}`}
      </p>
      <section className="scroll" aria-label={t.events.fields(type)} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t.events.field}</th>
              <th scope="col">{t.events.type}</th>
              <th scope="col">{t.events.meaning}</th>
            </tr>
          </thead>
          <tbody>
            {fieldsOf(schema).map(({ path, type: kind, isRequired, description, values }) => (
              <tr key={path}>
                <td className="mono">{path}</td>
                <td>
                  {kind} <span className="faint">{isRequired ? "" : t.events.optional}</span>
                </td>
                <td className="wrap muted">
                  {description} {values.length > 0 && t.events.values(values.join(", "))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div>
        <div className="spread">
          <b>{t.events.example}</b>
          <CopyAction value={text} label={t.events.example} size="xs" />
        </div>
        <section className="smtp" aria-label={t.events.example} tabIndex={0}>
          {text}
        </section>
      </div>
    </div>
  );
}
