import { Button, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useRef } from "react";
import { Answer } from "../../parts/answer.tsx";
import { t } from "../../texts/texts.ts";
import { type HeaderValue, needsHeadersAgain, type SettingValues } from "./setting-values.ts";

const MAX_HEADERS = 20;

interface HeaderFieldsProps {
  readonly form: UseFormReturnType<SettingValues>;
  /** URL of the stored endpoint; undefined for a new one. */
  readonly formerUrl: string | undefined;
}

/** Headers of every request. Stored values are not shown, and stay if their field is empty. */
export function HeaderFields({ form, formerUrl }: HeaderFieldsProps) {
  const { headers } = form.values;
  const added = useRef(0);
  const set = (next: HeaderValue[]) => form.setFieldValue("headers", next);
  const change = (key: string, changes: Partial<HeaderValue>) =>
    set(headers.map((header) => (header.key === key ? { ...header, ...changes } : header)));

  function add(): void {
    added.current += 1;
    set([...headers, { key: `new ${added.current}`, name: "", value: "", isStored: false }]);
  }

  return (
    <fieldset className="group stack small-gap" aria-label={t.webhooks.headers}>
      <div>
        <b>{t.webhooks.headers}</b>
        <p className="muted tight">{t.webhooks.headersDetail}</p>
      </div>
      {headers.map(({ key, name, value, isStored }, index) => (
        <div key={key} className="pair">
          <TextInput
            label={t.webhooks.headerName(index + 1)}
            placeholder={t.webhooks.headerNameHint}
            maxLength={100}
            readOnly={isStored}
            value={name}
            onChange={(event) => change(key, { name: event.currentTarget.value })}
          />
          <div className="row bottom-aligned nowrap">
            <TextInput
              type="password"
              autoComplete="off"
              label={t.webhooks.headerValue(index + 1)}
              placeholder={isStored ? t.webhooks.headerStays : ""}
              maxLength={1_024}
              className="fills"
              value={value}
              onChange={(event) => change(key, { value: event.currentTarget.value })}
            />
            <Button
              variant="default"
              aria-label={t.webhooks.removeHeader(name || String(index + 1))}
              onClick={() => set(headers.filter((header) => header.key !== key))}
            >
              <span aria-hidden="true">×</span>
            </Button>
          </div>
        </div>
      ))}
      {form.errors.headers && (
        <p className="fault tight" role="alert">
          {form.errors.headers}
        </p>
      )}
      {needsHeadersAgain(form.values, formerUrl) && (
        <Answer tone="warn" role="alert">
          <p>{t.webhooks.headersAgain}</p>
        </Answer>
      )}
      {headers.length < MAX_HEADERS && (
        <div>
          <Button variant="default" size="xs" onClick={add}>
            {t.webhooks.addHeader}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
