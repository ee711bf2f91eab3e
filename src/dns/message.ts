import * as wire from "dns-packet";
import {
  HEADER_BYTES,
  QUESTION_TAIL_BYTES,
  type Rdata,
  readSection,
  startOfAnswers,
} from "./read-section.ts";
import type { CaaRecord, RecordData, RecordType } from "./records.ts";

export const NOERROR = 0;
export const FORMERR = 1;
export const SERVFAIL = 2;
export const NXDOMAIN = 3;
export const NOTIMP = 4;
export const REFUSED = 5;

/** Octets of a datagram that fits every path, so that no fragment can be lost or forged. */
const EDNS_PAYLOAD_BYTES = 1232;
const CLASS_IN = 1;

const TYPE = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  DS: 43,
  DNSKEY: 48,
  TLSA: 52,
  CAA: 257,
} as const;

const readers: { readonly [T in RecordType]: (rdata: Rdata) => RecordData[T] } = {
  A: (rdata) => readRdata(wire.a, rdata),
  AAAA: (rdata) => readRdata(wire.aaaa, rdata),
  CAA: readCaa,
  // Copied, as below, so that the part does not keep the whole message in memory.
  DNSKEY: (rdata) => {
    const { key, ...rest } = readRdata(wire.dnskey, rdata);
    return { ...rest, key: Buffer.from(key) };
  },
  DS: (rdata) => {
    const { digest, ...rest } = readRdata(wire.ds, rdata);
    return { ...rest, digest: Buffer.from(digest) };
  },
  MX: (rdata) => readRdata(wire.mx, rdata),
  NS: (rdata) => readRdata(wire.ns, rdata).toLowerCase(),
  PTR: (rdata) => readRdata(wire.ptr, rdata),
  SOA: (rdata) => {
    const { mname, serial, minimum } = readRdata(wire.soa, rdata);
    return { primary: mname.toLowerCase(), serial, minimumSeconds: minimum };
  },
  TLSA: (rdata) => {
    const { certificate, ...rest } = readRdata(wire.tlsa, rdata);
    return { ...rest, certificate: Buffer.from(certificate) };
  },
  TXT: (rdata) => readRdata(wire.txt, rdata).map((part) => part.toString()),
};

/** A record of an answer; its owner is in lower case. */
export interface Owned<T> {
  readonly owner: string;
  readonly ttlSeconds: number;
  readonly data: T;
}

/** The useful parts of a message. */
export interface DnsAnswer<T> {
  readonly rcode: number;
  /** The AD bit. */
  readonly authenticated: boolean;
  /** The AA bit: the server is authoritative for the zone. */
  readonly authoritative: boolean;
  readonly records: readonly Owned<T>[];
  /** CNAME records. */
  readonly aliases: readonly Owned<string>[];
  /** Time to live of a denial (RFC 2308 section 5); undefined: not given. */
  readonly negativeTtlSeconds: number | undefined;
  /** The server refers to other servers, because it does not resolve. */
  readonly referral: boolean;
  /** Those servers with their zones; empty unless the message is a referral. */
  readonly nameServers: readonly Owned<string>[];
  readonly sizeBytes: number;
}

export interface QueryOptions {
  readonly edns: boolean;
  /** The RD bit: the server resolves the name; otherwise it answers from its own data. */
  readonly recursive: boolean;
  /** The CD bit: the server returns data that fails validation, too (RFC 4035 section 3.2.2). */
  readonly checkingDisabled?: boolean;
}

/** A query; its only question follows the header. */
export function encodeQuery(
  id: number,
  name: string,
  type: RecordType,
  { edns, recursive, checkingDisabled = false }: QueryOptions,
): Buffer {
  return wire.encode({
    type: "query",
    id,
    // AD in a query requests the bit in the answer (RFC 6840 section 5.7), without the signatures that DO would add.
    flags:
      (recursive ? wire.RECURSION_DESIRED | wire.AUTHENTIC_DATA : 0) |
      (checkingDisabled ? wire.CHECKING_DISABLED : 0),
    questions: [{ name, type }],
    additionals: edns ? [{ name: ".", type: "OPT", udpPayloadSize: EDNS_PAYLOAD_BYTES }] : [],
  });
}

/** True if the message answers this query of `encodeQuery` (RFC 5452 section 9.1). */
export function answersQuery(query: Buffer, message: Buffer): boolean {
  if (message.length < HEADER_BYTES || message.readUInt16BE(0) !== query.readUInt16BE(0)) return false;
  const flags = message.readUInt16BE(2);
  const isResponse = flags >> 15 === 1 && ((flags >> 11) & 0xf) === 0;
  const questions = message.readUInt16BE(4);
  // A server that does not understand a query may return only the header.
  if (isResponse && questions === 0) return [FORMERR, SERVFAIL, NOTIMP, REFUSED].includes(flags & 0xf);
  if (!isResponse || questions !== 1) return false;
  const nameEnd = query.indexOf(0, HEADER_BYTES) + 1;
  const end = nameEnd + QUESTION_TAIL_BYTES;
  return (
    message.length >= end &&
    message.subarray(nameEnd, end).equals(query.subarray(nameEnd, end)) &&
    message.toString("latin1", HEADER_BYTES, nameEnd).toLowerCase() ===
      query.toString("latin1", HEADER_BYTES, nameEnd)
  );
}

export function isTruncated(message: Buffer): boolean {
  return (message.readUInt16BE(2) & wire.TRUNCATED_RESPONSE) !== 0;
}

/**
 * Parses a message that `answersQuery`. It decodes only records of the requested type, so that records of other types and
 * unknown options do no harm.
 * @throws Error when it is malformed
 */
export function decodeAnswer<T extends RecordType>(message: Buffer, type: T): DnsAnswer<RecordData[T]> {
  const flags = message.readUInt16BE(2);
  const records: Owned<RecordData[T]>[] = [];
  const aliases: Owned<string>[] = [];
  const answers = readSection(message, startOfAnswers(message), message.readUInt16BE(6), (record) => {
    if (record.class !== CLASS_IN) return;
    if (record.type === TYPE[type]) records.push({ ...record, data: readers[type](record.rdata) });
    if (record.type === TYPE.CNAME)
      aliases.push({ ...record, data: readRdata(wire.cname, record.rdata).toLowerCase() });
  });
  let negativeTtlSeconds: number | undefined;
  const named: Owned<string>[] = [];
  if (answers.complete && records.length === 0) {
    readSection(message, answers.end, message.readUInt16BE(8), (record) => {
      if (record.class !== CLASS_IN) return;
      if (record.type === TYPE.NS) named.push({ ...record, data: readers.NS(record.rdata) });
      if (record.type !== TYPE.SOA) return;
      negativeTtlSeconds = Math.min(record.ttlSeconds, readRdata(wire.soa, record.rdata).minimum);
    });
  }
  const referral = named.length > 0 && negativeTtlSeconds === undefined && aliases.length === 0;
  return {
    rcode: flags & 0xf,
    authenticated: (flags & wire.AUTHENTIC_DATA) !== 0,
    authoritative: (flags & wire.AUTHORITATIVE_ANSWER) !== 0,
    records,
    aliases,
    negativeTtlSeconds,
    referral,
    nameServers: referral ? named : [],
    sizeBytes: message.length,
  };
}

/**
 * RFC 8659 section 4.1: flags, the length of the tag, the tag, and the value up to the end. dns-packet treats a tag that is
 * longer than its record as truncated.
 */
function readCaa({ message, offset }: Rdata): CaaRecord {
  const start = offset + 4;
  const valueStart = start + message.readUInt8(offset + 3);
  if (valueStart > message.length) throw new Error("a tag is longer than its record");
  return {
    flags: message.readUInt8(offset + 2),
    tag: message.toString("latin1", start, valueStart),
    value: message.toString("latin1", valueStart),
  };
}

function readRdata<T>(codec: wire.Codec<T>, { message, offset }: Rdata): T {
  const data = codec.decode(message, offset);
  if (offset + codec.decode.bytes !== message.length) throw new Error("a record has the wrong length");
  return data;
}
