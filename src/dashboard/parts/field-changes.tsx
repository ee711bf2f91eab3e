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
  /** Names of the values, if they are not those before and after a change. */
  readonly beforeText?: string;
  readonly afterText?: string;
}

/** Changed fields: both values of each, with the differences marked. */
export function FieldChanges({ label, changes, ...texts }: FieldChangesProps) {
  return (
    <section className="changes" aria-label={label}>
      {changes.map((change) => (
        <FieldChange key={change.field} change={change} {...texts} />
      ))}
    </section>
  );
}

interface FieldChangeProps extends Omit<FieldChangesProps, "label" | "changes"> {
  readonly change: ChangedField;
}

function FieldChange(props: FieldChangeProps) {
  const { change, secretText, beforeText = t.audit.before, afterText = t.audit.after } = props;
  const { field, before, after, secret } = change;
  // A new or removed field has no other value to compare it with.
  const compared = before !== undefined && after !== undefined ? compareChange(before, after) : undefined;
  return (
    <div className="change">
      <div className="mono">{field}</div>
      {secret ? (
        <p className="muted tight">{secretText}</p>
      ) : (
        <dl className="facts">
          <dt>{beforeText}</dt>
          <dd className="mono">
            {compared ? <Pieces pieces={compared.before} tone="extra" /> : (valueText(before) ?? <Nothing />)}
          </dd>
          <dt>{afterText}</dt>
          <dd className="mono">
            {compared ? <Pieces pieces={compared.after} tone="lacking" /> : (valueText(after) ?? <Nothing />)}
          </dd>
        </dl>
      )}
    </div>
  );
}

const Nothing = () => <span className="faint">{t.audit.none}</span>;
