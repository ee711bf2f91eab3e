// A tracked link contains its target, signed and not encrypted: the redirect works without core and database, and
// scanners may see the target.

import { createHmac, timingSafeEqual } from "node:crypto";

/** Content of a pixel or a link of a message. */
export type TrackedHit =
  | { readonly kind: "opened"; readonly messageId: string }
  | {
      readonly kind: "clicked";
      readonly messageId: string;
      /** An http or https URL, in the form of `new URL(…).href`. */
      readonly target: string;
    };

export interface TrackingTokens {
  /**
   * URL-safe; the same hit gives the same token.
   * @throws RangeError when a field is empty or has a line break
   */
  encode(hit: TrackedHit): string;
  /** Answer by which an edge of this installation is recognized at a host. */
  proofOf(host: string): string;
  /** undefined for a token that was not created with this key. */
  decode(token: string): TrackedHit | undefined;
}

/** Longer targets stay unchanged: with their token they would exceed the request line of servers. */
export const MAX_TARGET_LENGTH = 2_000;
export const TOKEN_KEY_BYTES = 32;
/** Path at which an edge proves its installation. */
export const PROOF_PATH = "/t/v";

const TAG_BYTES = 16;
/** Above the longest possible token: a target, a message id, the tag, in base64url. */
const MAX_TOKEN_LENGTH = 2_900;
const TOKEN = /^[A-Za-z0-9_-]+$/;
const SEPARATOR = "\n";

/**
 * Tokens that contain the hit, signed with the first 128 bits of HMAC-SHA256. A link therefore redirects without reading the
 * store, and only to an address in a message. A token does not expire: messages are read years later.
 * @throws RangeError when the key is short
 */
export function createTrackingTokens(key: Uint8Array): TrackingTokens {
  if (key.length < TOKEN_KEY_BYTES) {
    throw new RangeError(`A key for tracking tokens has ${TOKEN_KEY_BYTES} octets or more.`);
  }
  const tagOf = (payload: Uint8Array) =>
    createHmac("sha256", key).update(payload).digest().subarray(0, TAG_BYTES);

  return {
    encode(hit) {
      const fields = hit.kind === "opened" ? ["o", hit.messageId] : ["c", hit.messageId, hit.target];
      if (fields.some((field) => field === "" || field.includes(SEPARATOR))) {
        throw new RangeError("A tracking token is made of fields that are not empty and have no line break.");
      }
      const payload = Buffer.from(fields.join(SEPARATOR));
      return Buffer.concat([tagOf(payload), payload]).toString("base64url");
    },

    proofOf(host) {
      return createHmac("sha256", key)
        .update(`hermod tracking host ${host.toLowerCase()}`)
        .digest("base64url");
    },

    decode(token) {
      if (token.length > MAX_TOKEN_LENGTH || !TOKEN.test(token)) return undefined;
      const bytes = Buffer.from(token, "base64url");
      // Other spellings of the same octets, with spare bits set, are refused.
      if (bytes.length <= TAG_BYTES || bytes.toString("base64url") !== token) return undefined;
      const payload = bytes.subarray(TAG_BYTES);
      if (!timingSafeEqual(tagOf(payload), bytes.subarray(0, TAG_BYTES))) return undefined;
      const [kind, messageId = "", target = ""] = payload.toString().split(SEPARATOR);
      return kind === "o" ? { kind: "opened", messageId } : { kind: "clicked", messageId, target };
    },
  };
}

/** The key of tracking tokens, derived from a secret of the installation: it is useless for other purposes. */
export function trackingKeyOf(secret: Uint8Array): Buffer {
  return createHmac("sha256", secret).update("hermod tracking tokens").digest();
}
