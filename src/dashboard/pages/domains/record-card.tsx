import type { DomainRecord } from "../../api/domains.ts";
import { CopyField } from "../../parts/copy-field.tsx";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

const tones: Readonly<Record<string, Tone>> = {
  right: "ok",
  partial: "warn",
  wrong: "bad",
  missing: "warn",
  unknown: "idle",
};

/** One DNS record: what is wanted, to copy, and what each server answers. */
export function RecordCard({ record }: { readonly record: DomainRecord }) {
  const { purpose, type, name, value, required, outcome, problem, note, found, learned_at } = record;
  const answers = found.filter(({ values, failure }) => values.length > 0 || failure !== "");
  return (
    <article className="card">
      <header>
        <h3>
          {t.domains.purposes[purpose] ?? purpose}{" "}
          <span className="faint">{required ? t.domains.required : t.domains.optional}</span>
        </h3>
        <StateBadge tone={tones[outcome] ?? "idle"}>{t.domains.outcomes[outcome] ?? outcome}</StateBadge>
      </header>
      <div className="body stack">
        {problem && <p className="tight">{problem}</p>}
        <div className="record">
          <CopyField label={t.domains.recordName(type)} value={name} />
          {value && <CopyField label={t.domains.recordValue} value={value} />}
        </div>
        {note && <p className="muted tight">{note}</p>}
        {answers.length > 0 && outcome !== "right" && (
          <dl className="facts">
            {answers.map(({ server, values, failure }) => (
              <div key={server} className="contents">
                <dt>{server || t.domains.resolver}</dt>
                <dd className="mono">{failure || <Difference wanted={value} found={values} />}</dd>
              </div>
            ))}
          </dl>
        )}
        {learned_at && (
          <p className="faint tight">
            {t.domains.learned} <Time at={learned_at} withDay />
          </p>
        )}
      </div>
    </article>
  );
}

/** Values that were found, with what differs from the wanted one marked. */
function Difference({ wanted, found }: { readonly wanted: string; readonly found: readonly string[] }) {
  return found.map((value) => {
    const same = sharedStart(wanted, value);
    return (
      <div key={value}>
        {value.slice(0, same)}
        {same < value.length && <mark>{value.slice(same)}</mark>}
      </div>
    );
  });
}

/** How many characters two texts have in common at their beginnings. */
function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
