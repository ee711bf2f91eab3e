import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { Binary } from "mongodb";
import { fault } from "../../shared/fault.ts";
import type { SecretKey } from "../../shared/secret-keys.ts";
import { bytesOf } from "../chunk-store.ts";

/** Place of a secret, which can be decrypted only there. */
export interface SecretLocation {
  readonly collection: string;
  readonly documentId: string;
  /** Such as `privateKey` or `transports.0.password`. */
  readonly field: string;
  /** Additional JSON value that must be unchanged, such as the servers of a password. */
  readonly bound?: unknown;
}

/** Encrypts secrets before they are stored. */
export interface Sealing {
  /** Id of the encrypting key, stored beside the secret as `sealedWith`. */
  readonly keyId: string;
  /** Ids of all decrypting keys. */
  readonly keyIds: readonly string[];
  seal(secret: Uint8Array | string, location: SecretLocation): Binary;
  /**
   * @param sealedWith id of the key that encrypted it
   * @throws Fault store.unavailable if the key is missing, or the secret does not belong to this place
   */
  open(sealed: Binary, sealedWith: string, location: SecretLocation): Buffer;
}

/** The encrypted fields of a collection, for a rotation. */
export interface SealedFields {
  /** Order of the collection in a rotation, from 0. Page tokens contain it, so a new collection takes the next number. */
  readonly turn: number;
  readonly fields: readonly string[];
  /**
   * Returns the document encrypted with the first key, without `sealedWith` if it contains no secret.
   * @throws Fault store.unavailable if it cannot be decrypted
   */
  reseal(sealing: Sealing, stored: never): object & { readonly sealedWith?: string | undefined };
}

const CIPHER = "aes-256-gcm";
/** Random: far fewer than 2^32 secrets are ever encrypted with one key (NIST SP 800-38D section 8.3). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The first key encrypts, all keys decrypt. AES-256-GCM: nonce, ciphertext and tag in one value. */
export function createSealing(keys: readonly [SecretKey, ...SecretKey[]]): Sealing {
  const byId = new Map(keys.map((key) => [key.id, key]));
  const [{ id: keyId, cipherKey }] = keys;
  return {
    keyId,
    keyIds: [...byId.keys()],

    seal(secret, location) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, cipherKey, nonce).setAAD(associatedData(location));
      return new Binary(
        Buffer.concat([nonce, cipher.update(Buffer.from(secret)), cipher.final(), cipher.getAuthTag()]),
      );
    },

    open(sealed, sealedWith, location) {
      const key = byId.get(sealedWith);
      if (!key) {
        throw unreadable(
          location,
          `is encrypted with the key ${sealedWith}, which is not in HERMOD_SECRET_KEYS`,
        );
      }
      const bytes = Buffer.from(bytesOf(sealed));
      if (bytes.length < NONCE_BYTES + TAG_BYTES) throw unreadable(location, "is truncated");
      const decipher = createDecipheriv(CIPHER, key.cipherKey, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(associatedData(location)).setAuthTag(bytes.subarray(-TAG_BYTES));
      const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      try {
        return Buffer.concat([plain, decipher.final()]);
      } catch (cause) {
        throw unreadable(location, "is not the value that was stored there", cause);
      }
    },
  };
}

function associatedData({ collection, documentId, field, bound = null }: SecretLocation): Buffer {
  return Buffer.from(JSON.stringify([collection, documentId, field, bound]));
}

/** Mail is not sent unsigned or without a password instead: it waits until the installation is repaired. */
function unreadable({ collection, documentId, field }: SecretLocation, reason: string, cause?: unknown) {
  return fault("store.unavailable", {
    internal: `${field} of ${documentId} in ${collection} ${reason}`,
    cause,
    retryAfterSeconds: 60,
  });
}
