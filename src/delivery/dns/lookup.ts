import { randomInt } from "node:crypto";
import { type DnsServer, formatDnsServer } from "../../shared/dns-server-address.ts";
import { askServer } from "./ask-server.ts";
import {
  type DnsAnswer,
  decodeAnswer,
  encodeQuery,
  FORMERR,
  NOERROR,
  NOTIMP,
  NXDOMAIN,
  type Owned,
} from "./message.ts";
import { queryName } from "./names.ts";
import type { DnsResult, RecordData, RecordType } from "./records.ts";
import { createSlots } from "./slots.ts";

export interface LookupOptions {
  readonly servers: readonly DnsServer[];
  readonly timeoutMs: number;
  readonly tries: number;
  /** Queries under way at once: each has a socket. */
  readonly maxConcurrent: number;
}

export interface Looked<T> {
  readonly result: DnsResult<T>;
  /** How long the servers let it be kept; undefined: they do not say. */
  readonly ttlSeconds: number | undefined;
  /** Of the messages that it was read from. */
  readonly sizeBytes: number;
}

/** One lookup over the network, nothing remembered; the name is one of `queryName`. Never rejects. */
export type Lookup = <T extends RecordType>(name: string, type: T) => Promise<Looked<RecordData[T]>>;

/** RFC 1034 names no limit; chains are two or three long in practice. */
const MAX_ALIASES = 8;

const RCODE_NAMES: Readonly<Record<number, string>> = {
  1: "FORMERR",
  2: "SERVFAIL",
  4: "NOTIMP",
  5: "REFUSED",
};

/** Looks names up with the given servers, following aliases (CNAME) within an answer and beyond it. */
export function createLookup({ servers, timeoutMs, tries, maxConcurrent }: LookupOptions): Lookup {
  const inSlot = createSlots(maxConcurrent);
  /** Whoever answered last is asked first, so that a server that is down costs its timeout once. */
  let preferred = 0;

  /** The first usable answer of the servers in turn, or why there was none. */
  async function ask<T extends RecordType>(
    name: string,
    type: T,
  ): Promise<DnsAnswer<RecordData[T]> | { readonly failure: string }> {
    const first = preferred;
    let failure = "there is no DNS server to ask";
    let edns = true;
    for (let i = 0; i < tries; i++) {
      const index = (first + i) % servers.length;
      const server = servers[index];
      if (!server) break;
      const query = encodeQuery(randomInt(0x1_0000), name, type, edns);
      try {
        const answer = decodeAnswer(await inSlot(() => askServer(server, query, timeoutMs)), type);
        if ((answer.rcode === NOERROR && !answer.referral) || answer.rcode === NXDOMAIN) {
          preferred = index;
          return answer;
        }
        failure = answer.referral ? "a referral" : (RCODE_NAMES[answer.rcode] ?? `rcode ${answer.rcode}`);
        // RFC 6891 section 7: that is how servers from before EDNS answer it.
        if (answer.rcode === FORMERR || answer.rcode === NOTIMP) edns = false;
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
      }
      failure = `${name} ${type}: ${failure} from ${formatDnsServer(server)}`;
    }
    return { failure };
  }

  return async (owner, type) => {
    let name = owner;
    let aliases = 0;
    let ttlSeconds: number | undefined;
    let sizeBytes = 0;
    let authenticated = true;
    const keep = (ttl: number) => {
      ttlSeconds = Math.min(ttlSeconds ?? ttl, ttl);
    };
    const failed = (reason: string) =>
      ({ result: { kind: "failed", reason }, ttlSeconds: undefined, sizeBytes: 0 }) as const;

    for (;;) {
      const answer = await ask(name, type);
      if ("failure" in answer) return failed(answer.failure);
      const asked = name;
      sizeBytes += answer.sizeBytes;
      authenticated &&= answer.authenticated;
      let records = ownedBy(answer.records, name);
      while (records.length === 0) {
        const [alias] = ownedBy(answer.aliases, name);
        if (!alias) break;
        const target = queryName(alias.data);
        if (target === undefined) return failed(`${owner} ${type}: an alias leads to no usable name`);
        if (++aliases > MAX_ALIASES) return failed(`${owner} ${type}: more than ${MAX_ALIASES} aliases`);
        keep(alias.ttlSeconds);
        name = target;
        records = ownedBy(answer.records, name);
      }
      if (records.length > 0) {
        for (const record of records) keep(record.ttlSeconds);
        const data = records.map((record) => record.data);
        const result = {
          kind: "records",
          records: data,
          ttlSeconds: ttlSeconds ?? 0,
          authenticated,
          canonicalName: name,
        } as const;
        return { result, ttlSeconds, sizeBytes };
      }
      const negativeTtl = answer.negativeTtlSeconds;
      // An answer may end at an alias without a word about its target; with the SOA there is nothing more to learn.
      if (answer.rcode === NOERROR && name !== asked && negativeTtl === undefined) continue;
      if (negativeTtl === undefined) ttlSeconds = undefined;
      else keep(negativeTtl);
      // With aliases the code speaks of the last one (RFC 6604 section 3).
      const kind = answer.rcode === NXDOMAIN ? "no_domain" : "no_data";
      return { result: { kind, authenticated }, ttlSeconds, sizeBytes };
    }
  };
}

function ownedBy<T>(records: readonly Owned<T>[], owner: string): readonly Owned<T>[] {
  return records.filter((record) => record.owner === owner);
}
