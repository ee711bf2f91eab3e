import { t } from "../texts/texts.ts";
import { compareChange, valueText } from "./change-values.ts";
import { Pieces } from "./pieces.tsx";

/** A field with its values before and after a change, as JSON. A missing value: the field did not exist. */
export interface ChangedField {
  readonly field: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** Whether its values are never shown. */
  readonly secret: boolean;
}

interface FieldChangesProps {
  readonly label: string;
  readonly changes: readonly ChangedField[];
  /** Shown instead of the values of a secret field. */
  readonly secretText: string;
}

/** Changed fields: both values of each, with the differences marked. */
export function FieldChanges({ label, changes, secretText }: FieldChangesProps) {
  return (
    <section className="changes" aria-label={label}>
      {changes.map((change) => (
        <FieldChange key={change.field} change={change} secretText={secretText} />
      ))}
    </section>
  );
}

interface FieldChangeProps {
  readonly change: ChangedField;
  readonly secretText: string;
}

function FieldChange({ change: { field, before, after, secret }, secretText }: FieldChangeProps) {
  // A new or removed field has no other value to compare it with.
  const compared = before !== undefined && after !== undefined ? compareChange(before, after) : undefined;
  return (
    <div className="change">
      <div className="mono">{field}</div>
      {secret ? (
        <p className="muted tight">{secretText}</p>
      ) : (
        <dl className="facts">
          <dt>{t.audit.before}</dt>
          <dd className="mono">
            {compared ? <Pieces pieces={compared.before} tone="extra" /> : (valueText(before) ?? <Nothing />)}
          </dd>
          <dt>{t.audit.after}</dt>
          <dd className="mono">
            {compared ? <Pieces pieces={compared.after} tone="lacking" /> : (valueText(after) ?? <Nothing />)}
          </dd>
        </dl>
      )}
    </div>
  );
}

const Nothing = () => <span className="faint">{t.audit.none}</span>;
