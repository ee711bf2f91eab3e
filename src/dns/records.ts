import type { ExtendedError } from "./extended-errors.ts";
import type { FailureCode } from "./failure.ts";

/** A mail exchange as the DNS has it: nothing about the name has been checked. */
export interface MxRecord {
  readonly preference: number;
  /** Without the root's dot at the end; "." alone is the root (RFC 7505). */
  readonly exchange: string;
}

/** RFC 6698. */
export interface TlsaRecord {
  readonly usage: number;
  readonly selector: number;
  readonly matchingType: number;
  readonly certificate: Buffer;
}

/** RFC 8659, its text as Latin-1: nothing about it has been checked. */
export interface CaaRecord {
  /** The highest bit of the octet: who does not know the tag must not issue. */
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

/** RFC 1035 section 3.3.13, without what only the zone's own servers use. */
export interface SoaRecord {
  readonly primary: string;
  readonly serial: number;
  readonly minimumSeconds: number;
}

/** What a record of each type that can be asked for holds. Names in it are as the DNS has them, unchecked. */
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
  /** The character strings of one record, each 255 octets at most; most readers want them joined. */
  TXT: readonly string[];
}

export type RecordType = keyof RecordData;

/**
 * What became of a lookup.
 *
 * - `records`: there are some
 * - `no_data`: the name exists, but has no record of this type
 * - `no_domain`: the name does not exist
 * - `failed`: nothing is known: the servers failed or refused, did not answer in time, or answered nonsense
 *
 * `authenticated`: the server says that it has validated the answer by DNSSEC (the AD bit). That is worth as much as
 * the server and the way to it are trusted (RFC 6840 section 5.8). `server`: who has answered, as `address:port`.
 */
export type DnsResult<T> =
  | {
      readonly kind: "records";
      readonly records: readonly T[];
      /** How much longer this holds. */
      readonly ttlSeconds: number;
      readonly authenticated: boolean;
      /** Where the aliases lead to, in lower case; without aliases what was asked for. */
      readonly canonicalName: string;
      readonly server?: string;
    }
  | { readonly kind: "no_data"; readonly authenticated: boolean; readonly server?: string }
  | { readonly kind: "no_domain"; readonly authenticated: boolean; readonly server?: string }
  | DnsFailure;

export interface DnsFailure {
  readonly kind: "failed";
  readonly code: FailureCode;
  /** In words. */
  readonly reason: string;
  /** What the server says about it; missing: nothing. */
  readonly extendedErrors?: readonly ExtendedError[];
}
