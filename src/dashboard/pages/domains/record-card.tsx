import type { DomainRecord } from "../../api/domains.ts";
import { compareValues } from "../../parts/compare-values.ts";
import { CopyField } from "../../parts/copy-field.tsx";
import type { Tone } from "../../parts/icons.tsx";
import { Pieces } from "../../parts/pieces.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
import { sentenceText } from "../../texts/sentence-text.ts";
import { t } from "../../texts/texts.ts";

const tones: Readonly<Record<string, Tone>> = {
  right: "ok",
  partial: "warn",
  wrong: "bad",
  missing: "warn",
  unknown: "idle",
};

interface RecordCardProps {
  readonly record: DomainRecord;
  /** Name and value in the format of the DNS provider's form. */
  readonly shown: { readonly name: string; readonly value: string };
}

/** One DNS record: the expected value, to copy, and the answer of each server. */
export function RecordCard({ record, shown }: RecordCardProps) {
  const { purpose, type, required, outcome, learned_at } = record;
  const problem = sentenceText(record.problem_parts, record.problem);
  const note = sentenceText(record.note_parts, record.note);
  const title = t.domains.purposes[purpose] ?? purpose;
  return (
    <article className="card" aria-label={`${title} ${record.name}`}>
      <header>
        <h3>
          {title} <span className="faint">{required ? t.domains.required : t.domains.optional}</span>
        </h3>
        <StateBadge tone={tones[outcome] ?? "idle"}>{t.domains.outcomes[outcome] ?? outcome}</StateBadge>
      </header>
      <div className="body stack">
        {problem && <p className="tight">{problem}</p>}
        <div className="record">
          <CopyField label={t.domains.recordName(type)} value={shown.name} />
          {shown.value && <CopyField label={t.domains.recordValue} value={shown.value} />}
        </div>
        {note && <p className="muted tight">{note}</p>}
        {outcome !== "right" && <Answers record={record} />}
        {learned_at && (
          <p className="faint tight">
            {t.domains.learned} <Time at={learned_at} withDay />
          </p>
        )}
      </div>
    </article>
  );
}

/** The answer of each server below the expected value, with the differences marked in both. Equal answers share one line. */
function Answers({ record: { value, found } }: { readonly record: DomainRecord }) {
  const lines = new Map<
    string,
    { readonly servers: string[]; readonly value: string; readonly failure: string }
  >();
  for (const { server, values, failure } of found) {
    for (const answer of failure === "" ? values : [""]) {
      const line = lines.get(failure + answer) ?? { servers: [], value: answer, failure };
      line.servers.push(t.domains.found(server));
      lines.set(failure + answer, line);
    }
  }
  if (lines.size === 0) return null;
  return [...lines.entries()].map(([key, line]) => {
    const compared = compareValues(value, line.value);
    return (
      <dl key={key} className="facts">
        {line.failure === "" && value !== "" && (
          <div className="contents">
            <dt>{t.domains.wanted}</dt>
            <dd className="mono">
              <Pieces pieces={compared.wanted} tone="lacking" />
            </dd>
          </div>
        )}
        <div className="contents">
          <dt>{line.servers.join(", ")}</dt>
          <dd className="mono">{line.failure || <Pieces pieces={compared.found} tone="extra" />}</dd>
        </div>
      </dl>
    );
  });
}
