import { createSlots } from "../shared/slots.ts";
import { type AskServersOptions, createAskServers } from "./ask-servers.ts";
import { NOERROR, NXDOMAIN, type Owned } from "./message.ts";
import { queryName } from "./names.ts";
import type { DnsFailure, DnsResult, RecordData, RecordType } from "./records.ts";

export interface LookupOptions extends AskServersOptions {
  /** Timeout of one lookup from its first query, over all tries and aliases. */
  readonly timeoutMs: number;
  /** Concurrent lookups: each has a socket for every open try. */
  readonly maxConcurrent: number;
}

export interface FoundRecords<T> {
  readonly result: DnsResult<T>;
  /** Time to live from the servers; undefined: not given. */
  readonly ttlSeconds: number | undefined;
  /** Octets of the messages from which it was read. */
  readonly sizeBytes: number;
}

/** One lookup over the network, without a cache; the name is a result of `queryName`. Never rejects. */
export type Lookup = <T extends RecordType>(name: string, type: T) => Promise<FoundRecords<RecordData[T]>>;

/** RFC 1034 has no limit; chains have two or three aliases in practice. */
const MAX_ALIASES = 8;

/** Resolves names with the given servers, following aliases (CNAME) within an answer and beyond it. */
export function createLookup({ timeoutMs, maxConcurrent, ...asking }: LookupOptions): Lookup {
  const ask = createAskServers(asking);
  const inSlot = createSlots(maxConcurrent);

  const lookUp: Lookup = async (owner, type) => {
    const endMs = performance.now() + timeoutMs;
    let name = owner;
    let aliases = 0;
    let ttlSeconds: number | undefined;
    let sizeBytes = 0;
    let authenticated = true;
    const keep = (ttl: number) => {
      ttlSeconds = Math.min(ttlSeconds ?? ttl, ttl);
    };
    const failed = (failure: Omit<DnsFailure, "kind">) =>
      ({ result: { kind: "failed", ...failure }, ttlSeconds: undefined, sizeBytes: 0 }) as const;
    const lost = (reason: string) => failed({ code: "not_resolved", reason: `${owner} ${type}: ${reason}` });

    for (;;) {
      const answer = await ask(name, type, endMs - performance.now());
      if ("failure" in answer) {
        const { failure: reason, ...rest } = answer;
        return failed({ ...rest, reason });
      }
      const { server } = answer;
      const asked = name;
      sizeBytes += answer.sizeBytes;
      authenticated &&= answer.authenticated;
      let records = ownedBy(answer.records, name);
      while (records.length === 0) {
        const [alias] = ownedBy(answer.aliases, name);
        if (!alias) break;
        const target = queryName(alias.data);
        if (target === undefined) return lost("an alias leads to no usable name");
        if (++aliases > MAX_ALIASES) return lost(`more than ${MAX_ALIASES} aliases`);
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
          server,
        } as const;
        return { result, ttlSeconds, sizeBytes };
      }
      const negativeTtl = answer.negativeTtlSeconds;
      // An answer may end at an alias without its target; with the SOA it is final.
      if (answer.rcode === NOERROR && name !== asked && negativeTtl === undefined) continue;
      if (negativeTtl === undefined) ttlSeconds = undefined;
      else keep(negativeTtl);
      // With aliases, the code applies to the last one (RFC 6604 section 3).
      const kind = answer.rcode === NXDOMAIN ? "no_domain" : "no_data";
      return { result: { kind, authenticated, server }, ttlSeconds, sizeBytes };
    }
  };
  return (name, type) => inSlot(() => lookUp(name, type));
}

function ownedBy<T>(records: readonly Owned<T>[], owner: string): readonly Owned<T>[] {
  return records.filter((record) => record.owner === owner);
}
