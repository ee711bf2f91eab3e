import type { ClientSettings, IntelClient } from "../../api/workspaces.ts";

/** Values of the form. */
export interface ClientValues {
  name: string;
  external_ref: string;
  contact_emails: readonly string[];
  tags: readonly string[];
  notes: string;
  locale: string;
  timezone: string;
}

/** @param timezone zone of the browser */
export const blankClient = (timezone: string): ClientValues => ({
  name: "",
  external_ref: "",
  contact_emails: [],
  tags: [],
  notes: "",
  locale: "en",
  timezone,
});

export const valuesOf = (client: IntelClient): ClientValues => ({
  name: client.name,
  external_ref: client.external_ref ?? "",
  contact_emails: client.contact_emails,
  tags: client.tags,
  notes: client.notes ?? "",
  locale: client.locale,
  timezone: client.timezone,
});

/** The request of the form. */
export function settingsOf({ external_ref, notes, ...values }: ClientValues): ClientSettings {
  return {
    name: values.name.trim(),
    contact_emails: [...values.contact_emails],
    tags: [...values.tags],
    locale: values.locale.trim(),
    timezone: values.timezone,
    ...(external_ref.trim() !== "" && { external_ref: external_ref.trim() }),
    ...(notes !== "" && { notes }),
  };
}
