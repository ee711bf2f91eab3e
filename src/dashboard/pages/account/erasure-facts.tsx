import type { Erasure } from "../../api/erasures.ts";
import { CopyField } from "../../parts/copy-field.tsx";
import { Fact } from "../../parts/fact.tsx";
import { Time } from "../../parts/time.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";

type Left = keyof typeof t.erasure.leftNames;

/** Request, last check, remaining data and hash of an erasure. */
export function ErasureFacts({ erasure }: { readonly erasure: Erasure }) {
  const { requested_at, requested_by, keep_suppressed, finished_at, look, left, address_hash, salt } =
    erasure;
  const remaining = (Object.keys(t.erasure.leftNames) as Left[]).filter((name) => left[name] > 0);
  return (
    <>
      <section className="card" aria-label={t.erasure.facts}>
        <header>
          <h2>{t.erasure.facts}</h2>
        </header>
        <div className="body">
          <dl className="facts">
            <Fact name={t.erasure.requested}>
              <Time at={requested_at} withDay />
            </Fact>
            <Fact name={t.erasure.requestedBy}>{requested_by}</Fact>
            {finished_at && (
              <Fact name={t.erasure.finished}>
                <Time at={finished_at} withDay />
              </Fact>
            )}
            <Fact name={t.erasure.suppression}>
              {keep_suppressed ? t.erasure.keptSuppressed : t.erasure.notKeptSuppressed}
            </Fact>
            {look && (
              <Fact name={t.erasure.checked}>
                <Time at={look.at} withDay />:{" "}
                {t.erasure.checkedCounts(
                  numberText(look.messages),
                  numberText(look.captured),
                  numberText(look.audit_entries),
                )}
              </Fact>
            )}
            {remaining.length > 0 && (
              <Fact name={t.erasure.left}>
                {remaining.map((name) => (
                  <div key={name}>
                    {t.erasure.leftNames[name]}: <span className="num">{numberText(left[name])}</span>
                  </div>
                ))}
              </Fact>
            )}
          </dl>
        </div>
      </section>
      <section className="card" aria-label={t.erasure.check}>
        <header>
          <div>
            <h2>{t.erasure.check}</h2>
            <p className="muted">{t.erasure.checkDetail}</p>
          </div>
        </header>
        <div className="body record">
          <CopyField label={t.erasure.hash} value={address_hash} />
          <CopyField label={t.erasure.salt} value={salt} />
          <CopyField label={t.erasure.command} value={commandFor(salt)} />
        </div>
      </section>
    </>
  );
}

function commandFor(salt: string): string {
  const hash = "openssl dgst -sha256 -binary | basenc --base64url | tr -d =";
  return `printf '%s%s' '${salt}' ada@example.com | ${hash}`;
}
