import { orcptOf, readTypedAddress, xtext } from "../message/dsn/typed-address.ts";

/** What RFC 3461 has a sender ask for; whatever is missing was not said. */
export interface DsnRequest {
  /** The outcomes of which the sender wants notices; `never` stands alone. */
  readonly notify?: readonly ("never" | "success" | "failure" | "delay")[];
  /** Decoded, as `rfc822;ada@example.com`. */
  readonly originalRecipient?: string;
  /** Decoded. */
  readonly envelopeId?: string;
  readonly returnContent?: "full" | "headers";
}

/** RFC 3461 sections 4.2 and 4.4, of the encoded values. */
const MAX_ORCPT_LENGTH = 500;
const MAX_ENVID_LENGTH = 100;
const PRINTABLE = /^[ -~]+$/;

/** What MAIL says beside the address, each with the space before it. */
export function mailParameters({ returnContent, envelopeId = "" }: DsnRequest): string {
  const ret = returnContent === undefined ? "" : ` RET=${returnContent === "full" ? "FULL" : "HDRS"}`;
  const envid = xtext(envelopeId);
  // What is none would have the server refuse the message; it only serves to tell notices apart.
  const isEnvid = PRINTABLE.test(envelopeId) && envid.length <= MAX_ENVID_LENGTH;
  return ret + (isEnvid ? ` ENVID=${envid}` : "");
}

/** What RCPT says beside the address, each with the space before it. */
export function rcptParameters({ notify = [], originalRecipient }: DsnRequest): string {
  const value = notify.includes("never") ? "NEVER" : notify.map((each) => each.toUpperCase()).join(",");
  const address = readTypedAddress(originalRecipient);
  const orcpt = address ? orcptOf(address) : "";
  const isOrcpt = orcpt !== "" && orcpt.length <= MAX_ORCPT_LENGTH;
  return (value === "" ? "" : ` NOTIFY=${value}`) + (isOrcpt ? ` ORCPT=${orcpt}` : "");
}
