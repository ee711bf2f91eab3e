import type { Binary } from "mongodb";
import type { DomainKeyDocument } from "../documents.ts";
import type { SealedFields, Sealing } from "./sealing.ts";

export const DOMAIN_KEYS = "domainKeys";

/** The stored form. Without `sealedWith`, the key is in plain text, from before keys were encrypted. */
export type StoredDomainKey = Omit<DomainKeyDocument, "privateKey"> & {
  readonly privateKey: Binary | string;
  readonly sealedWith?: string;
};

const locationOf = (documentId: string) => ({ collection: DOMAIN_KEYS, documentId, field: "privateKey" });

export function sealDomainKey(sealing: Sealing, key: DomainKeyDocument): StoredDomainKey {
  const privateKey = sealing.seal(key.privateKey, locationOf(key._id));
  return { ...key, privateKey, sealedWith: sealing.keyId };
}

/** @throws Fault store.unavailable if it cannot be decrypted */
export function openDomainKey(sealing: Sealing, stored: StoredDomainKey): DomainKeyDocument {
  const { sealedWith = "", privateKey, ...rest } = stored;
  if (typeof privateKey === "string") return { ...rest, privateKey };
  return { ...rest, privateKey: sealing.open(privateKey, sealedWith, locationOf(rest._id)).toString() };
}

export const sealedDomainKeys: SealedFields = {
  turn: 1,
  fields: ["privateKey"],
  reseal: (sealing, stored: StoredDomainKey) => sealDomainKey(sealing, openDomainKey(sealing, stored)),
};
