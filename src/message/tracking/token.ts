// A tracked link contains its target, signed and not encrypted: the redirect works without core and database, and
// scanners may see the target.

import { createHmac, timingSafeEqual } from "node:crypto";

/** What a pixel or a link of a message stands for. */
export type TrackedHit =
  | { readonly kind: "opened"; readonly messageId: string }
  | {
      readonly kind: "clicked";
      readonly messageId: string;
      /** An http or https URL, as `new URL(…).href` writes it. */
      readonly target: string;
    };

export interface TrackingTokens {
  /**
   * URL-safe; the same hit gives the same token.
   * @throws RangeError when a field is empty or has a line break
   */
  encode(hit: TrackedHit): string;
  /** What an edge of this installation answers by which it is known at a host. */
  proofOf(host: string): string;
  /** undefined for what was not made with this key. */
  decode(token: string): TrackedHit | undefined;
}

/** Longer targets stay as they are: with their token they would not fit the request line that servers take. */
export const MAX_TARGET_LENGTH = 2_000;
export const TOKEN_KEY_BYTES = 32;
/** Where an edge proves which installation it is of. */
export const PROOF_PATH = "/t/v";

const TAG_BYTES = 16;
/** Above the longest that is made: a target, a message id, the tag, in base64url. */
const MAX_TOKEN_LENGTH = 2_900;
const TOKEN = /^[A-Za-z0-9_-]+$/;
const SEPARATOR = "\n";

/**
 * Tokens that hold the hit itself, signed with HMAC-SHA256, whose first 128 bits they carry. So a link leads on without a
 * look at the store, and to no address but one that a message had. A token has no end: messages are read years later.
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
      // Other spellings of the same octets, with spare bits set, are not what was handed out.
      if (bytes.length <= TAG_BYTES || bytes.toString("base64url") !== token) return undefined;
      const payload = bytes.subarray(TAG_BYTES);
      if (!timingSafeEqual(tagOf(payload), bytes.subarray(0, TAG_BYTES))) return undefined;
      const [kind, messageId = "", target = ""] = payload.toString().split(SEPARATOR);
      return kind === "o" ? { kind: "opened", messageId } : { kind: "clicked", messageId, target };
    },
  };
}

/** The key of tracking tokens, made of a secret of the installation: who has it can make nothing else with it. */
export function trackingKeyOf(secret: Uint8Array): Buffer {
  return createHmac("sha256", secret).update("hermod tracking tokens").digest();
}
