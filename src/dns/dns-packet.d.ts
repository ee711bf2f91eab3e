// dns-packet 5 has no types. This declares only the parts that message.ts and the DNS server of the tests use.
declare module "dns-packet" {
  export interface Codec<T> {
    encode(data: T, buffer?: Buffer, offset?: number): Buffer;
    readonly decode: {
      (buffer: Buffer, offset: number): T;
      /** Number of octets of the last call. */
      readonly bytes: number;
    };
  }
  /** Without the dot of the root at the end; only the root itself is ".". */
  export const name: Codec<string>;
  // Codecs of RDATA: they begin at the two octets of its length.
  export const a: Codec<string>;
  export const aaaa: Codec<string>;
  export const cname: Codec<string>;
  export const dnskey: Codec<{ readonly flags: number; readonly algorithm: number; readonly key: Buffer }>;
  export const ds: Codec<{
    readonly keyTag: number;
    readonly algorithm: number;
    readonly digestType: number;
    readonly digest: Buffer;
  }>;
  export const mx: Codec<{ readonly preference: number; readonly exchange: string }>;
  export const ns: Codec<string>;
  export const ptr: Codec<string>;
  export const soa: Codec<{ readonly mname: string; readonly serial: number; readonly minimum: number }>;
  export const tlsa: Codec<{
    readonly usage: number;
    readonly selector: number;
    readonly matchingType: number;
    readonly certificate: Buffer;
  }>;
  export const txt: Codec<Buffer[]>;

  export interface Question {
    readonly name: string;
    readonly type: string;
  }
  export interface ResourceRecord {
    readonly name: string;
    readonly type: string;
    readonly ttl?: number;
    readonly data?: unknown;
    /** Options of an OPT record. */
    readonly udpPayloadSize?: number;
    readonly options?: readonly { readonly code: number; readonly data: Buffer }[];
  }
  export interface Packet {
    readonly id?: number;
    readonly type: "query" | "response";
    readonly flags?: number;
    readonly questions?: readonly Question[];
    readonly answers?: readonly ResourceRecord[];
    readonly authorities?: readonly ResourceRecord[];
    readonly additionals?: readonly ResourceRecord[];
  }
  export function encode(packet: Packet): Buffer;
  export function decode(message: Buffer): Required<Packet>;
  export const RECURSION_DESIRED: number;
  export const RECURSION_AVAILABLE: number;
  export const AUTHENTIC_DATA: number;
  export const CHECKING_DISABLED: number;
  export const AUTHORITATIVE_ANSWER: number;
  export const TRUNCATED_RESPONSE: number;
}
