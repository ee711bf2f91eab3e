import { useState } from "react";
import type { Webhook } from "../../api/webhooks.ts";
import { CopyAction } from "../../parts/copy-action.tsx";
import { CopyField } from "../../parts/copy-field.tsx";
import { t } from "../../texts/texts.ts";
import { type Language, languages, snippets } from "./snippets/snippets.ts";

/** Programs that verify the requests of this endpoint, in six languages. They contain no secret. */
export function Verify({ webhook: { url, secrets } }: { readonly webhook: Webhook }) {
  const [shown, show] = useState<Language>("node");
  const { algorithm = "hmac-sha256", public_key: publicKey = "" } = secrets[0] ?? {};
  const { text, file, command, needs } = snippets[shown];
  const code = text({ url, algorithm, publicKey });
  return (
    <>
      <section className="card" aria-labelledby="verify">
        <header>
          <div>
            <h2 id="verify">{t.verify.title}</h2>
            <p className="muted">{t.verify.detail}</p>
          </div>
        </header>
        <div className="body stack">
          {publicKey ? (
            <>
              <CopyField label={t.webhooks.publicKey} value={publicKey} />
              <p className="faint tight">
                {t.verify.keyHint} {secrets.length > 1 && t.verify.twoKeys}
              </p>
            </>
          ) : (
            <>
              <pre className="smtp wrapped">{t.verify.exportSecret}</pre>
              <p className="faint tight">{t.verify.secretHint}</p>
            </>
          )}
          <fieldset className="tabs" aria-label={t.verify.language}>
            {languages.map((one) => (
              <button key={one} type="button" aria-pressed={one === shown} onClick={() => show(one)}>
                {t.verify.languages[one]}
              </button>
            ))}
          </fieldset>
          <div>
            <div className="spread after">
              <span className="mono">{file}</span>
              <CopyAction value={code} label={t.verify.code} size="xs" />
            </div>
            <section className="smtp" aria-label={t.verify.code} tabIndex={0}>
              {code}
            </section>
          </div>
          <CopyField label={t.verify.run} value={command} />
          <p className="faint tight">
            {t.verify.needs(needs(algorithm))} {t.verify.behind} {t.verify.tryIt}
          </p>
        </div>
      </section>
      <section className="card" aria-labelledby="rules">
        <header>
          <h2 id="rules">{t.verify.rulesTitle}</h2>
        </header>
        <ul className="body plain-text">
          {t.verify.rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </section>
    </>
  );
}
