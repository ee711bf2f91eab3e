import type { Key } from "../../api/keys.ts";
import { Fact } from "../../parts/fact.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

/** Access and identity of a key. */
export function KeyFacts({ shown }: { readonly shown: Key }) {
  const { id, prefix, kind, scope_mode, scopes, senders, allowed_addresses } = shown;
  const { created_at, expires_at, last_used_at, last_used_by, last_used_from } = shown;
  const mode = kind === "smtp" ? "send_only" : scope_mode;
  return (
    <section className="card" aria-labelledby="access">
      <header>
        <h2 id="access">{t.keys.access}</h2>
      </header>
      <div className="body">
        <dl className="facts">
          <Fact name={t.keys.scope}>
            {scope_mode === "restricted" && kind !== "smtp"
              ? scopes.map((scope) => <div key={scope}>{t.keys.scopes[scope] ?? scope}</div>)
              : `${t.keys.modes[mode] ?? mode}. ${t.keys.modeDetails[mode] ?? ""}`}
          </Fact>
          <Fact name={t.keys.senders}>
            {senders.length === 0 ? t.keys.allSenders : <Chips values={senders} />}
          </Fact>
          <Fact name={t.keys.addresses}>
            {allowed_addresses.length === 0 ? t.keys.allAddresses : <Chips values={allowed_addresses} />}
          </Fact>
          <Fact name={t.keys.expires}>{expires_at ? <Time at={expires_at} withDay /> : t.keys.never}</Fact>
          <Fact name={t.keys.lastUsed}>
            {last_used_at ? (
              <>
                <Time at={last_used_at} withDay />{" "}
                <span className="muted">
                  {t.keys.usedBy(
                    t.keys.surfaces[last_used_by] ?? last_used_by,
                    last_used_from || t.keys.unknownAddress,
                  )}
                </span>
              </>
            ) : (
              t.keys.never
            )}
          </Fact>
          <Fact name={t.keys.madeAt}>
            <Time at={created_at} withDay />
          </Fact>
          <Fact name={t.keys.prefix}>
            <span className="mono">{prefix}</span>
          </Fact>
          <Fact name={t.keys.id}>
            <span className="mono">{id}</span>
          </Fact>
        </dl>
      </div>
    </section>
  );
}

function Chips({ values }: { readonly values: readonly string[] }) {
  return (
    <span className="row">
      {values.map((value) => (
        <span key={value} className="chip small">
          {value}
        </span>
      ))}
    </span>
  );
}
