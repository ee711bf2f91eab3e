import { Button, TextInput } from "@mantine/core";
import { t } from "../texts/texts.ts";
import { Answer } from "./answer.tsx";
import { withItem, withoutItem } from "./edit-list.ts";
import { type HeaderValue, hasStoredValue, isStored } from "./header-values.ts";

const MAX_HEADERS = 20;

interface HeaderFieldsProps {
  readonly headers: readonly HeaderValue[];
  /** Names of the headers that Hermod has a value of. */
  readonly storedNames: readonly string[];
  readonly fault: string | undefined;
  /** Whether the form has another URL. The stored values are only for the former one. */
  readonly isMoved: boolean;
  readonly onChange: (headers: HeaderValue[]) => void;
}

/** Headers of every request. Stored values are not shown, and stay if their field is empty. */
export function HeaderFields({ headers, storedNames, fault, isMoved, onChange }: HeaderFieldsProps) {
  return (
    <fieldset className="group stack small-gap" aria-label={t.webhooks.headers}>
      <div>
        <b>{t.webhooks.headers}</b>
        <p className="muted tight">{t.webhooks.headersDetail}</p>
      </div>
      {headers.map((header, index) => {
        const { name, value } = header;
        const change = (changes: Partial<HeaderValue>) =>
          onChange(withItem(headers, index, { ...header, ...changes }));
        return (
          <div key={index} className="pair">
            <TextInput
              label={t.webhooks.headerName(index + 1)}
              placeholder={t.webhooks.headerNameHint}
              maxLength={100}
              value={name}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
            <div className="row bottom-aligned nowrap">
              <TextInput
                type="password"
                autoComplete="off"
                label={t.webhooks.headerValue(index + 1)}
                placeholder={isStored(name, storedNames) ? t.webhooks.headerStays : ""}
                maxLength={1_024}
                className="fills"
                value={value}
                onChange={(event) => change({ value: event.currentTarget.value })}
              />
              <Button
                variant="default"
                aria-label={t.webhooks.removeHeader(name || String(index + 1))}
                onClick={() => onChange(withoutItem(headers, index))}
              >
                <span aria-hidden="true">×</span>
              </Button>
            </div>
          </div>
        );
      })}
      {fault && (
        <p className="fault tight" role="alert">
          {fault}
        </p>
      )}
      {isMoved && hasStoredValue(headers, storedNames) && (
        <Answer tone="warn" role="alert">
          <p>{t.webhooks.headersAgain}</p>
        </Answer>
      )}
      {headers.length < MAX_HEADERS && (
        <div>
          <Button variant="default" size="xs" onClick={() => onChange([...headers, { name: "", value: "" }])}>
            {t.webhooks.addHeader}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
