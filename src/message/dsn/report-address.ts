import { createHmac, timingSafeEqual } from "node:crypto";
import { isAscii } from "../characters.ts";
import type { ReturnPathOptions } from "./return-path.ts";

/** Addresses of aggregate reports on a watched domain: DMARC (RFC 9990) and TLS (RFC 8460). */
export interface ReportAddresses {
  /** Domain of the addresses. */
  readonly domain: string;
  /**
   * Addresses of one watched domain: `dmarc+<token>@<domain>` and `tls+<token>@<domain>`. The content decides the kind of a
   * received report. Throws a RangeError for an invalid id.
   */
  encode(domainId: string): { readonly dmarc: string; readonly tls: string };
  /** The watched domain of an address; undefined unless one of the secrets signed it. In any case. */
  decode(address: string): string | undefined;
}

/** Maximum size of a mail to one of them. Receivers report many thousand sources in less than a megabyte. */
export const MAX_REPORT_MAIL_BYTES = 25 * 1024 * 1024;

const DOMAIN_ID = /^dom_([0-9a-hjkmnp-tv-z]{26})$/;
/** Without the `u` flag, case folding stays within ASCII. */
const LOCAL_PART = /^(?:dmarc|tls)\+([0-9a-hjkmnp-tv-z]{26})-([0-9a-f]{30})$/i;
/** 120 bits: in hexadecimal, the local part has 63 of the 64 octets of RFC 5321. */
const MAC_BYTES = 15;

/**
 * Addresses that name the watched domain of reports. A watched domain belongs to one workspace during its existence, so its id
 * also names the workspace. They are signed, so that they cannot be forged; others can read an address in the record of the
 * domain.
 */
export function createReportAddresses(options: ReturnPathOptions): ReportAddresses {
  const secrets = [options.secret, ...(options.olderSecrets ?? [])];
  if (secrets.some((each) => each.length === 0))
    throw new RangeError("A secret for report addresses is empty.");
  const domain = options.domain.toLowerCase();
  return {
    domain,
    encode(domainId) {
      const id = DOMAIN_ID.exec(domainId)?.[1];
      if (id === undefined) throw new RangeError("A report address is made of the id of a watched domain.");
      const token = `${id}-${mac(options.secret, id).toString("hex")}@${domain}`;
      return { dmarc: `dmarc+${token}`, tls: `tls+${token}` };
    },
    decode(address) {
      const [id = "", hex = ""] = tokenOf(address, domain) ?? [];
      if (id === "") return undefined;
      const given = Buffer.from(hex, "hex");
      return secrets.some((each) => timingSafeEqual(mac(each, id), given)) ? `dom_${id}` : undefined;
    },
  };
}

/** True if an address has this form; `decode` checks its signature. */
export function isReportAddress(address: string, domain: string): boolean {
  return tokenOf(address, domain.toLowerCase()) !== undefined;
}

function tokenOf(address: string, domain: string): string[] | undefined {
  const at = address.indexOf("@");
  if (!isAscii(address) || address.slice(at + 1).toLowerCase() !== domain) return undefined;
  return LOCAL_PART.exec(address.slice(0, at))
    ?.slice(1)
    .map((text) => text.toLowerCase());
}

/** The label separates these MACs from other uses of the same secret. */
function mac(secret: Buffer | string, id: string): Buffer {
  return createHmac("sha256", secret).update(`hermod report address ${id}`).digest().subarray(0, MAC_BYTES);
}
