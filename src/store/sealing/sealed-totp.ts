import type { Binary } from "mongodb";
import type { TotpDocument } from "../user-documents.ts";
import type { SealedFields, Sealing } from "./sealing.ts";

export const TOTP_SECRETS = "totpSecrets";

/** The stored form. */
export type StoredTotp = Omit<TotpDocument, "secret"> & {
  readonly secret: Binary;
  readonly sealedWith: string;
};

const locationOf = (documentId: string) => ({ collection: TOTP_SECRETS, documentId, field: "secret" });

export function sealTotp(sealing: Sealing, totp: TotpDocument): StoredTotp {
  return { ...totp, secret: sealing.seal(totp.secret, locationOf(totp._id)), sealedWith: sealing.keyId };
}

/** @throws Fault store.unavailable if it cannot be decrypted */
export function openTotp(sealing: Sealing, { sealedWith, secret, ...rest }: StoredTotp): TotpDocument {
  return { ...rest, secret: sealing.open(secret, sealedWith, locationOf(rest._id)).toString() };
}

export const sealedTotps: SealedFields = {
  turn: 3,
  fields: ["secret"],
  reseal: (sealing, stored: StoredTotp) => sealTotp(sealing, openTotp(sealing, stored)),
};
