import type { FieldDifference } from "../../api/templates.ts";
import { t } from "../../texts/texts.ts";

type HunkOfField = FieldDifference["hunks"][number];
type Line = HunkOfField["lines"][number];

const signs: Readonly<Record<string, string>> = { same: " ", removed: "-", added: "+" };

/** The differing lines of one field, with the lines around them. */
export function Difference({ difference }: { readonly difference: FieldDifference }) {
  const { field, too_different, hunks } = difference;
  const label = t.templates.fields[field] ?? field;
  return (
    <div>
      <h3>{label}</h3>
      {too_different ? (
        <p className="muted tight">{t.templates.tooDifferent}</p>
      ) : (
        <section className="smtp difference" aria-label={label} tabIndex={0}>
          {hunks.map((hunk) => (
            <Hunk key={`${hunk.before_line} ${hunk.after_line}`} hunk={hunk} />
          ))}
        </section>
      )}
    </div>
  );
}

function Hunk({ hunk }: { readonly hunk: HunkOfField }) {
  return (
    <div className="hunk">
      {numbered(hunk).map(({ line, before, after }) => (
        <div key={`${before ?? ""} ${after ?? ""}`} className={line.kind}>
          <span className="number">{before}</span>
          <span className="number">{after}</span>
          <span>
            {signs[line.kind] ?? " "} {line.text}
            {line.unterminated && <i> ({t.templates.unterminated})</i>}
          </span>
        </div>
      ))}
    </div>
  );
}

interface NumberedLine {
  readonly line: Line;
  /** Number in the earlier text; undefined: the line was added. */
  readonly before: number | undefined;
  /** Number in the later text; undefined: the line was removed. */
  readonly after: number | undefined;
}

function numbered({ before_line, after_line, lines }: HunkOfField): readonly NumberedLine[] {
  let [before, after] = [before_line, after_line];
  return lines.map((line) => ({
    line,
    before: line.kind === "added" ? undefined : before++,
    after: line.kind === "removed" ? undefined : after++,
  }));
}
