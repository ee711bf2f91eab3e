import type { Binary } from "mongodb";
import { bytesOf } from "../chunk-store.ts";
import type { SealedFields, Sealing } from "./sealing.ts";

export const SECRETS = "secrets";

/** A secret that is created once and shared by all processes, by its purpose. */
export interface StoredSecret {
  readonly _id: string;
  readonly secret: Binary;
  /** Missing: it is in plain text, from before secrets were encrypted. */
  readonly sealedWith?: string;
}

const locationOf = (documentId: string) => ({ collection: SECRETS, documentId, field: "secret" });

export function sealSecret(sealing: Sealing, name: string, secret: Uint8Array): StoredSecret {
  return { _id: name, secret: sealing.seal(secret, locationOf(name)), sealedWith: sealing.keyId };
}

/** @throws Fault store.unavailable if it cannot be decrypted */
export function openSecret(sealing: Sealing, { _id: name, secret, sealedWith }: StoredSecret): Buffer {
  if (sealedWith === undefined) return Buffer.from(bytesOf(secret));
  return sealing.open(secret, sealedWith, locationOf(name));
}

export const sealedSecrets: SealedFields = {
  turn: 0,
  fields: ["secret"],
  reseal: (sealing, stored: StoredSecret) => sealSecret(sealing, stored._id, openSecret(sealing, stored)),
};
