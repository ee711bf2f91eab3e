import type { Key } from "../../api/keys.ts";
import { t } from "../../texts/texts.ts";

/** A new key with its secrets. */
export interface Revealed {
  readonly key: Key;
  readonly secret: string;
  /** Empty if the key is not an SMTP credential. */
  readonly password: string;
}

/** The secrets of a new key, in the form in which the user enters them. */
export function secretsOf({ secret, password }: Revealed) {
  if (password === "") return [{ label: t.keys.apiKey, value: secret }];
  return [
    { label: t.keys.smtpUser, value: secret },
    { label: t.keys.smtpPassword, value: password },
  ];
}
