import type { CaaRecord } from "../../dns/records.ts";
import { type Phrase, phrase } from "../../shared/phrase.ts";
import { trimEnd } from "../../shared/trim-end.ts";

/** CAA policy of one name for a host's own certificate. */
export interface CaaPolicy {
  /** Allowed issuers, in lower case; empty: none; undefined: all. */
  readonly issuers: readonly string[] | undefined;
  /** Problems that authorities have with the records, in sentences, safe to show. */
  readonly problems: readonly Phrase[];
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

/** Reads the records of one name, which must be complete (RFC 8659 section 3). */
export function readCaa(records: readonly CaaRecord[]): CaaPolicy {
  const problems: Phrase[] = [];
  const issuers: string[] = [];
  let isRestricted = false;
  for (const { flags, tag, value } of records) {
    // Tags are case-insensitive.
    const name = tag.toLowerCase();
    const isCritical = (flags & CRITICAL) !== 0;
    if (!/^[a-z0-9]+$/.test(name)) problems.push(phrase("caa.bad_tag", { tag: shown(tag) }));
    else if (isCritical && !KNOWN_TAGS.includes(name))
      problems.push(phrase("caa.critical", { tag: shown(tag) }));
    if (name === "issue") isRestricted = true;
    if (name === "issue" || name === "issuewild") {
      const issuer = issuerOf(value);
      if (issuer === undefined) problems.push(phrase("caa.bad_issuer", { tag: name, value: shown(value) }));
      else if (name === "issue" && issuer !== "") issuers.push(issuer);
    }
    if (name === "iodef" && !REPORT_ADDRESS.test(value.slice(0, MAX_VALUE_LENGTH)))
      problems.push(phrase("caa.bad_report_address", { value: shown(value) }));
  }
  return { issuers: isRestricted ? [...new Set(issuers)] : undefined, problems };
}

/**
 * Reads an issuer: a name, or nothing, and then parameters.
 * @returns empty: no issuer; undefined: malformed, which authorities treat as no issuer
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
