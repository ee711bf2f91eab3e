import { parseAddress } from "../../message/address/addresses.ts";
import { isAscii } from "../../message/characters.ts";

/**
 * Destination of reports (RFC 9989 sections 4.6 and 4.8).
 *
 * - `mail`: an address; `hasSize`: with a size limit after `!`, which reporters ignore
 * - `other`: a URI that reporters need not support
 * - `invalid`: not a URI
 */
export type ReportUri =
  | {
      readonly kind: "mail";
      readonly text: string;
      readonly address: string;
      readonly domain: string;
      readonly hasSize: boolean;
    }
  | { readonly kind: "other" | "invalid"; readonly text: string };

const SIZE = /!\d+[kmgt]?$/i;
const URI = /^[a-z][a-z0-9+.-]*:[^\s"<>\\^`{|}]+$/i;

/** The URIs of a `rua` or `ruf` tag. */
export function parseReportUris(value: string): ReportUri[] {
  return value.split(",").map((one) => parseReportUri(one.trim()));
}

function parseReportUri(text: string): ReportUri {
  const uri = text.replace(SIZE, "");
  if (!isAscii(uri) || !URI.test(uri)) return { kind: "invalid", text };
  if (!/^mailto:/i.test(uri)) return { kind: "other", text };
  // RFC 6068 section 2: header fields follow the question mark. Reporters do not use them.
  const [path = ""] = uri.slice("mailto:".length).split("?");
  const address = addressOf(path);
  if (address === undefined) return { kind: "invalid", text };
  const domain = address.slice(address.lastIndexOf("@") + 1);
  return { kind: "mail", text, address, domain, hasSize: uri !== text };
}

/** The URI of an address. Characters with a meaning in a record or in a URI are encoded. */
export function mailtoUri(address: string): string {
  const at = address.lastIndexOf("@");
  const local = address.slice(0, at).replace(/[^\w.~+'=-]/gu, encode);
  return `mailto:${local}${address.slice(at)}`;
}

/** The most likely intended URI; undefined: unknown. */
export function repairReportUri({ kind, text }: ReportUri): string | undefined {
  if (kind !== "invalid") return text;
  const address = addressOf(text.replace(SIZE, "").replace(/^(?:mailto)?[\s:/]*/i, ""));
  return address === undefined ? undefined : mailtoUri(address);
}

function addressOf(path: string): string | undefined {
  try {
    const result = parseAddress(decodeURIComponent(path));
    return result.ok ? result.address : undefined;
  } catch {
    return undefined;
  }
}

function encode(character: string): string {
  return [...Buffer.from(character)]
    .map((octet) => `%${octet.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}
