import type { Binary } from "mongodb";
import type { WebhookEndpointDocument, WebhookHeader, WebhookSecret } from "../webhook-documents.ts";
import type { SealedFields, Sealing } from "./sealing.ts";

export const WEBHOOKS = "webhookEndpoints";

/** The stored form: its secrets and the values of its headers are encrypted. */
export type StoredWebhook = Omit<WebhookEndpointDocument, "secrets" | "headers"> & {
  readonly secrets: readonly (Omit<WebhookSecret, "secret"> & { readonly secret: Binary })[];
  readonly headers: readonly (Omit<WebhookHeader, "value"> & { readonly value: Binary })[];
  readonly sealedWith: string;
};

export function sealWebhook(sealing: Sealing, webhook: WebhookEndpointDocument): StoredWebhook {
  const { secrets, headers, ...rest } = webhook;
  const location = (field: string) => locationOf(webhook, field);
  return {
    ...rest,
    secrets: secrets.map(({ secret, ...of }, n) => ({
      ...of,
      secret: sealing.seal(secret, location(`secrets.${n}`)),
    })),
    headers: headers.map(({ value, ...of }) => ({
      ...of,
      value: sealing.seal(value, location(`headers.${of.name}`)),
    })),
    sealedWith: sealing.keyId,
  };
}

/** @throws Fault store.unavailable if a secret cannot be decrypted */
export function openWebhook(sealing: Sealing, stored: StoredWebhook): WebhookEndpointDocument {
  const { secrets, headers, sealedWith, ...rest } = stored;
  const open = (sealed: Binary, field: string) =>
    sealing.open(sealed, sealedWith, locationOf(stored, field)).toString();
  return {
    ...rest,
    secrets: secrets.map(({ secret, ...of }, n) => ({ ...of, secret: open(secret, `secrets.${n}`) })),
    headers: headers.map(({ value, ...of }) => ({ ...of, value: open(value, `headers.${of.name}`) })),
  };
}

/** Secrets are bound to their URL: write access to the store does not allow sending a header's token elsewhere. */
function locationOf({ _id, url }: Pick<WebhookEndpointDocument, "_id" | "url">, field: string) {
  return { collection: WEBHOOKS, documentId: _id, field, bound: url };
}

export const sealedWebhooks: SealedFields = {
  turn: 4,
  fields: ["secrets", "headers"],
  reseal: (sealing, stored: StoredWebhook) => sealWebhook(sealing, openWebhook(sealing, stored)),
};
