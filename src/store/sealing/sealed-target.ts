import type { Binary } from "mongodb";
import { TARGETS, type TargetDocument } from "../target-documents.ts";
import type { WebhookHeader, WebhookSecret } from "../webhook-documents.ts";
import type { SealedFields, Sealing } from "./sealing.ts";

/** The stored form: its URL, its secrets and the values of its headers are encrypted. */
export type StoredTarget = Omit<TargetDocument, "url" | "secrets" | "headers"> & {
  readonly url: Binary;
  readonly secrets: readonly (Omit<WebhookSecret, "secret"> & { readonly secret: Binary })[];
  readonly headers: readonly (Omit<WebhookHeader, "value"> & { readonly value: Binary })[];
  readonly sealedWith: string;
};

export function sealTarget(sealing: Sealing, target: TargetDocument): StoredTarget {
  const { url, secrets, headers, ...rest } = target;
  const seal = (value: string, field: string) => sealing.seal(value, locationOf(target, field));
  return {
    ...rest,
    url: sealing.seal(url, urlLocation(target)),
    secrets: secrets.map(({ secret, ...of }, n) => ({ ...of, secret: seal(secret, `secrets.${n}`) })),
    headers: headers.map(({ value, ...of }) => ({ ...of, value: seal(value, `headers.${of.name}`) })),
    sealedWith: sealing.keyId,
  };
}

/** @throws Fault store.unavailable if a secret cannot be decrypted */
export function openTarget(sealing: Sealing, stored: StoredTarget): TargetDocument {
  const { url: sealedUrl, secrets, headers, sealedWith, ...rest } = stored;
  const url = sealing.open(sealedUrl, sealedWith, urlLocation(stored)).toString();
  const open = (sealed: Binary, field: string) =>
    sealing.open(sealed, sealedWith, locationOf({ ...rest, url }, field)).toString();
  return {
    ...rest,
    url,
    secrets: secrets.map(({ secret, ...of }, n) => ({ ...of, secret: open(secret, `secrets.${n}`) })),
    headers: headers.map(({ value, ...of }) => ({ ...of, value: open(value, `headers.${of.name}`) })),
  };
}

const urlLocation = ({ _id }: Pick<StoredTarget, "_id">) => ({
  collection: TARGETS,
  documentId: _id,
  field: "url",
});

/** Secrets are bound to their URL: write access to the store does not allow sending a header's token elsewhere. */
function locationOf({ _id, url }: Pick<TargetDocument, "_id" | "url">, field: string) {
  return { collection: TARGETS, documentId: _id, field, bound: url };
}

export const sealedTargets: SealedFields = {
  turn: 7,
  fields: ["url", "secrets", "headers"],
  reseal: (sealing, stored: StoredTarget) => sealTarget(sealing, openTarget(sealing, stored)),
};
