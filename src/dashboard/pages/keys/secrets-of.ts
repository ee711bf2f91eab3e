import type { Key } from "../../api/keys.ts";
import { t } from "../../texts/texts.ts";

/** A key that was just created, with its secrets. */
export interface Revealed {
  readonly key: Key;
  readonly secret: string;
  /** Empty: the key is no SMTP credential. */
  readonly password: string;
}

/** The secrets of a new key, as its user enters them. */
export function secretsOf({ secret, password }: Revealed) {
  if (password === "") return [{ label: t.keys.apiKey, value: secret }];
  return [
    { label: t.keys.smtpUser, value: secret },
    { label: t.keys.smtpPassword, value: password },
  ];
}
