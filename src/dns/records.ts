import type { ExtendedError } from "./extended-errors.ts";
import type { FailureCode } from "./failure.ts";

/** A mail exchange of the DNS, with an unchecked name. */
export interface MxRecord {
  readonly preference: number;
  /** Without the dot of the root at the end; "." is the root (RFC 7505). */
  readonly exchange: string;
}

/** RFC 6698. */
export interface TlsaRecord {
  readonly usage: number;
  readonly selector: number;
  readonly matchingType: number;
  readonly certificate: Buffer;
}

/** RFC 8659, with unchecked text as Latin-1. */
export interface CaaRecord {
  /** The highest bit of the octet: an issuer that does not know the tag must not issue. */
  readonly flags: number;
  readonly tag: string;
  readonly value: string;
}

/** RFC 4034 section 2. */
export interface DnskeyRecord {
  readonly flags: number;
  readonly algorithm: number;
  readonly key: Buffer;
}

/** RFC 4034 section 5. */
export interface DsRecord {
  readonly keyTag: number;
  readonly algorithm: number;
  readonly digestType: number;
  readonly digest: Buffer;
}

/** RFC 1035 section 3.3.13, without the fields that only the zone's own servers use. */
export interface SoaRecord {
  readonly primary: string;
  readonly serial: number;
  readonly minimumSeconds: number;
}

/** Values of each supported record type. Their names are unchecked. */
export interface RecordData {
  A: string;
  AAAA: string;
  CAA: CaaRecord;
  DNSKEY: DnskeyRecord;
  DS: DsRecord;
  MX: MxRecord;
  NS: string;
  PTR: string;
  SOA: SoaRecord;
  TLSA: TlsaRecord;
  /** The character strings of one record, each of at most 255 octets; most readers join them. */
  TXT: readonly string[];
}

export type RecordType = keyof RecordData;

/**
 * Result of a lookup.
 *
 * - `records`: there are records
 * - `no_data`: the name exists, but has no record of this type
 * - `no_domain`: the name does not exist
 * - `failed`: unknown, because the servers failed, refused, did not answer in time, or gave an invalid answer
 *
 * `authenticated`: the server says that it has validated the answer with DNSSEC (the AD bit). It is only as trustworthy as the
 * server and the path to it (RFC 6840 section 5.8). `server`: the answering server, as `address:port`.
 */
export type DnsResult<T> =
  | {
      readonly kind: "records";
      readonly records: readonly T[];
      /** Remaining time to live. */
      readonly ttlSeconds: number;
      readonly authenticated: boolean;
      /** Target of the aliases, in lower case; without aliases the queried name. */
      readonly canonicalName: string;
      readonly server?: string;
    }
  | { readonly kind: "no_data"; readonly authenticated: boolean; readonly server?: string }
  | { readonly kind: "no_domain"; readonly authenticated: boolean; readonly server?: string }
  | DnsFailure;

export interface DnsFailure {
  readonly kind: "failed";
  readonly code: FailureCode;
  /** Text of the failure. */
  readonly reason: string;
  /** Extended errors of the server; missing: none. */
  readonly extendedErrors?: readonly ExtendedError[];
}
