import type { CaaRecord } from "../../dns/records.ts";
import { trimEnd } from "../../shared/trim-end.ts";

/** What the CAA records of one name say about a host's own certificate. */
export interface CaaPolicy {
  /** Who may issue it, in lower case; empty: nobody; undefined: everybody. */
  readonly issuers: readonly string[] | undefined;
  /** What authorities cannot make sense of, in sentences, safe to show. */
  readonly problems: readonly string[];
}

/** RFC 8659 section 4.1: bit 0 of the flags, the highest. */
const CRITICAL = 0x80;
/** RFC 8659 section 4, RFC 9495, and the authorities' own rules for contacts and for marks (BIMI). */
const KNOWN_TAGS = [
  ...["issue", "issuewild", "iodef"],
  ...["issuemail", "issuevmc", "contactemail", "contactphone"],
];
const MAX_SHOWN = 60;

// RFC 8659 section 4.2.
const ISSUER = /^[a-z0-9](?:-*[a-z0-9])*(?:\.[a-z0-9](?:-*[a-z0-9])*)*$/i;
const PARAMETER = /^[a-z0-9]+[ \t]*=[ \t]*[!-:<-~]*$/i;
const REPORT_ADDRESS = /^(?:mailto:[^@\s]+@|https?:\/\/)[^\s@]+$/i;
const MAX_VALUE_LENGTH = 1_024;

/** Reads the records of one name, which are all of them that there are (RFC 8659 section 3). */
export function readCaa(records: readonly CaaRecord[]): CaaPolicy {
  const problems: string[] = [];
  const issuers: string[] = [];
  let isRestricted = false;
  for (const { flags, tag, value } of records) {
    // Tags are compared without regard to case.
    const name = tag.toLowerCase();
    const isCritical = (flags & CRITICAL) !== 0;
    if (!/^[a-z0-9]+$/.test(name)) problems.push(`A record has no tag that can be read: ${shown(tag)}.`);
    else if (isCritical && !KNOWN_TAGS.includes(name))
      problems.push(`${shown(tag)} is critical, and authorities that do not know it must not issue.`);
    if (name === "issue") isRestricted = true;
    if (name === "issue" || name === "issuewild") {
      const issuer = issuerOf(value);
      if (issuer === undefined) problems.push(`${name} ${shown(value)} names no authority that can be read.`);
      else if (name === "issue" && issuer !== "") issuers.push(issuer);
    }
    if (name === "iodef" && !REPORT_ADDRESS.test(value.slice(0, MAX_VALUE_LENGTH)))
      problems.push(`iodef ${shown(value)} is no address that a report could be sent to.`);
  }
  return { issuers: isRestricted ? [...new Set(issuers)] : undefined, problems };
}

/**
 * A name, or nothing, and then parameters.
 * @returns empty: nobody; undefined: it is malformed, and authorities take it for nobody
 */
function issuerOf(value: string): string | undefined {
  if (value.length > MAX_VALUE_LENGTH) return undefined;
  const [issuer = "", ...parameters] = value
    .split(";")
    .map((part) => trimEnd(part.replace(/^[ \t]+/, ""), " \t"));
  const isReadable =
    (issuer === "" || ISSUER.test(issuer)) && parameters.every((one) => one === "" || PARAMETER.test(one));
  return isReadable ? issuer.toLowerCase() : undefined;
}

function shown(text: string): string {
  const printable = text.slice(0, MAX_SHOWN).replace(/[^ -~]/g, "?");
  return JSON.stringify(text.length > MAX_SHOWN ? `${printable}…` : printable);
}
