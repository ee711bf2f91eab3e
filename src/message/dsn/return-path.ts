import { createHmac, timingSafeEqual } from "node:crypto";
import { isAscii } from "../characters.ts";

export interface ReturnPathOptions {
  /** Domain of returned mail, for example `bounce.example.com`. */
  readonly domain: string;
  /** Signs new return paths and verifies returned ones. At least 32 random bytes. */
  readonly secret: Buffer | string;
  /** Former secrets: still valid for returned mail, which may take weeks. */
  readonly olderSecrets?: readonly (Buffer | string)[];
}

export interface ReturnPaths {
  /**
   * Envelope sender of one message: `b+<id>-<mac>@<domain>`, in lower case, with a local part of 61 octets. Throws a RangeError
   * for an invalid message id.
   * @param domain an alias of the domain, for example `hm-bounce.example.org`; missing: the domain itself
   */
  encode(messageId: string, domain?: string): string;
  /** The message of an address; undefined unless one of the secrets signed it. In any case. */
  decode(address: string): string | undefined;
}

const MESSAGE_ID = /^msg_([0-9a-hjkmnp-tv-z]{26})$/;
/** Without the `u` flag, case folding stays within ASCII, so that a Kelvin sign does not equal a `k`. */
const LOCAL_PART = /^b\+([0-9a-hjkmnp-tv-z]{26})-([0-9a-f]{32})$/i;
/** Label of the alias of the return path domain, below a sender's domain. */
export const RETURN_PATH_LABEL = "hm-bounce";
const ALIAS = new RegExp(`^${RETURN_PATH_LABEL}\\.(?:[a-z0-9-]+\\.)+[a-z0-9-]+$`);
/** 128 bits. In hexadecimal, because hosts fold the case of local parts: 61 of the 64 octets of RFC 5321. */
const MAC_BYTES = 16;
/** RFC 5321 section 4.5.3.1.3. */
const MAX_ADDRESS_LENGTH = 256;

/**
 * Return paths that name their message (VERP), so that a bounce identifies the message regardless of its text. They are signed,
 * so that no attacker can forge one to have a recipient suppressed.
 */
export function createReturnPaths({ domain, secret, olderSecrets = [] }: ReturnPathOptions): ReturnPaths {
  const secrets = [secret, ...olderSecrets];
  if (secrets.some((each) => each.length === 0)) throw new RangeError("A secret for return paths is empty.");
  const own = domain.toLowerCase();
  return {
    encode(messageId, alias = own) {
      const id = MESSAGE_ID.exec(messageId)?.[1];
      if (id === undefined) throw new RangeError("A return path is made of a message id.");
      return `b+${id}-${mac(secret, id).toString("hex")}@${alias}`;
    },
    decode(address) {
      if (address.length > MAX_ADDRESS_LENGTH || !isAscii(address)) return undefined;
      const at = address.indexOf("@");
      if (!takesReturnPaths(address.slice(at + 1), own)) return undefined;
      const [, id = "", hex = ""] = LOCAL_PART.exec(address.slice(0, at))?.map(lower) ?? [];
      if (id === "") return undefined;
      const given = Buffer.from(hex, "hex");
      return secrets.some((each) => timingSafeEqual(mac(each, id), given)) ? `msg_${id}` : undefined;
    },
  };
}

/**
 * True if a domain may receive mail to return paths: Hermod's own domain, or an alias of it below a sender's domain. Only the
 * signature proves the address, not the domain.
 */
export function takesReturnPaths(domain: string, own: string): boolean {
  const name = domain.toLowerCase();
  return name === own.toLowerCase() || ALIAS.test(name);
}

function lower(text: string): string {
  return text.toLowerCase();
}

/**
 * Local part of a return path, by which the provider of an upstream relay repeats the message; undefined: it has another form.
 * `decode` checks its signature.
 */
export function localPartOf(address: string): string | undefined {
  const local = address.slice(0, address.indexOf("@"));
  return LOCAL_PART.test(local) ? local.toLowerCase() : undefined;
}

/** The label separates these MACs from other uses of the same secret. */
function mac(secret: Buffer | string, id: string): Buffer {
  return createHmac("sha256", secret).update(`hermod return path ${id}`).digest().subarray(0, MAC_BYTES);
}
