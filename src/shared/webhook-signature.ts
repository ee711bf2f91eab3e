import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** What a receiver's copy of a request is held against (Standard Webhooks 1.0). */
export interface SignedParts {
  /** `webhook-id`. */
  readonly id: string;
  /** `webhook-timestamp`: when this attempt is made. */
  readonly seconds: number;
  readonly body: string;
}

/** A secret of an endpoint: `whsec_` and 256 random bits in base 64, as the libraries of Standard Webhooks take it. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** `webhook-signature`: one for each of the secrets, for a receiver may know any of them. */
export function signaturesOf({ id, seconds, body }: SignedParts, secrets: readonly string[]): string {
  const signed = `${id}.${seconds}.${body}`;
  const of = (secret: string) =>
    createHmac("sha256", Buffer.from(secret.slice(PREFIX.length), "base64"))
      .update(signed)
      .digest("base64");
  return secrets.map((secret) => `v1,${of(secret)}`).join(" ");
}
