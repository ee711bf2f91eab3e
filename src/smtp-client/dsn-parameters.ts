import { orcptOf, readTypedAddress, xtext } from "../message/dsn/typed-address.ts";

/** DSN parameters of RFC 3461. Missing: the sender did not set them. */
export interface DsnRequest {
  /** Outcomes for which the sender requests notices. `never` is the only value if present. */
  readonly notify?: readonly ("never" | "success" | "failure" | "delay")[];
  /** Decoded, such as `rfc822;ada@example.com`. */
  readonly originalRecipient?: string;
  /** Decoded. */
  readonly envelopeId?: string;
  readonly returnContent?: "full" | "headers";
}

/** RFC 3461 sections 4.2 and 4.4, for the encoded values. */
const MAX_ORCPT_LENGTH = 500;
const MAX_ENVID_LENGTH = 100;
const PRINTABLE = /^[ -~]+$/;

/** Parameters of MAIL, each with its leading space. */
export function mailParameters({ returnContent, envelopeId = "" }: DsnRequest): string {
  const ret = returnContent === undefined ? "" : ` RET=${returnContent === "full" ? "FULL" : "HDRS"}`;
  const envid = xtext(envelopeId);
  // The server would refuse the message because of an invalid ENVID, which only identifies notices.
  const isEnvid = PRINTABLE.test(envelopeId) && envid.length <= MAX_ENVID_LENGTH;
  return ret + (isEnvid ? ` ENVID=${envid}` : "");
}

/** Parameters of RCPT, each with its leading space. */
export function rcptParameters({ notify = [], originalRecipient }: DsnRequest): string {
  const value = notify.includes("never") ? "NEVER" : notify.map((each) => each.toUpperCase()).join(",");
  const address = readTypedAddress(originalRecipient);
  const orcpt = address ? orcptOf(address) : "";
  const isOrcpt = orcpt !== "" && orcpt.length <= MAX_ORCPT_LENGTH;
  return (value === "" ? "" : ` NOTIFY=${value}`) + (isOrcpt ? ` ORCPT=${orcpt}` : "");
}
