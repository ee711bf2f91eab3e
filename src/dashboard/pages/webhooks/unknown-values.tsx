import { PasswordInput } from "@mantine/core";
import { faultAt } from "../../parts/form-fault.tsx";
import { t } from "../../texts/texts.ts";

interface UnknownValuesProps {
  /** Headers as the request has them. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Error of the last request. */
  readonly error: Error | null;
  readonly onChange: (name: string, value: string) => void;
}

/** A field for each value of a header that Hermod does not have. */
export function UnknownValues({ headers, error, onChange }: UnknownValuesProps) {
  return (
    <fieldset className="group stack small-gap" aria-label={t.webhooks.headers}>
      <div>
        <b>{t.webhooks.headers}</b>
        <p className="muted tight">{t.webhooks.valuesUnknown}</p>
      </div>
      {headers.map(({ name, value }, index) => {
        const fault = faultAt(error, `/headers/${index}/value`);
        return (
          <PasswordInput
            key={name}
            label={t.webhooks.valueOf(name)}
            // The browser must not offer the password of the dashboard.
            autoComplete="new-password"
            required
            maxLength={1_024}
            error={fault}
            aria-invalid={fault !== undefined}
            value={value}
            onChange={(event) => onChange(name, event.currentTarget.value)}
          />
        );
      })}
    </fieldset>
  );
}
