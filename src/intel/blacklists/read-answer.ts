import type { FailureCode } from "../../dns/failure.ts";
import type { DnsResult } from "../../dns/records.ts";
import type { Blacklist, ListingCode } from "./blacklist.ts";

/**
 * What one look at a list has found.
 *
 * - `listed`, `clean`: the list says so
 * - `refused`: the list, or the way to it, answers this asker nothing
 * - `error`: no answer, or none that means anything
 * - `unreliable`: an answer that is none of this list's: somebody else's, or the list is broken
 */
export type LookState = "listed" | "clean" | "refused" | "error" | "unreliable";

export interface Reading {
  readonly state: LookState;
  /** Of a listing; empty otherwise. */
  readonly codes: readonly ListingCode[];
  /** Why it is neither listed nor clean, in a sentence's end; it holds nothing that was asked or answered but addresses. */
  readonly reason?: string;
}

/** What the answer to an A query says. NXDOMAIN and no data are clean; nothing else is. */
export function readAnswer(list: Blacklist, answer: DnsResult<string>): Reading {
  if (answer.kind === "failed") return readFailure(answer.code);
  if (answer.kind !== "records" || answer.records.length === 0) return { state: "clean", codes: [] };
  const records = [...new Set(answer.records)];
  const stranger = records.find((one) => !one.startsWith("127."));
  if (stranger !== undefined)
    return unreliable(`${stranger} is outside of 127.0.0.0/8: no list answers that`);
  for (const one of records) {
    const refusal = refusalOf(list, one);
    if (refusal !== undefined) return { state: "refused", codes: [], reason: `${one}: ${refusal}` };
  }
  const codes = records.flatMap((one) => codesOf(list, one));
  if (codes.length === 0) return unreliable(`${records[0]} is no code of this list`);
  return { state: "listed", codes };
}

function unreliable(reason: string): Reading {
  return { state: "unreliable", codes: [], reason };
}

/** Spamhaus began with 127.255.255.x, and others took it over. */
const COMMON_REFUSALS: Readonly<Record<string, string>> = {
  "127.255.255.252": "the name of the list is misspelt, or the key is not known",
  "127.255.255.254": "the list refuses queries of open resolvers",
  "127.255.255.255": "the list refuses the resolver: it asks too much, or is not registered",
  "127.0.0.1": "never a listing: the list refuses the resolver, or the resolver rewrites answers",
};

function refusalOf({ refusals, codes }: Blacklist, address: string): string | undefined {
  const known = refusals[address] ?? COMMON_REFUSALS[address];
  if (known !== undefined) return known;
  if (address.startsWith("127.255.255.")) return "the list refuses the query";
  const octet = codes.kind === "bits" ? lastOctet(address) : undefined;
  const isRefusal = codes.kind === "bits" && octet !== undefined && (octet & codes.refusalBits) !== 0;
  return isRefusal ? "the list refuses the resolver" : undefined;
}

function codesOf({ codes }: Blacklist, address: string): readonly ListingCode[] {
  if (codes.kind === "any") return [{ code: address, meaning: codes.meaning }];
  if (codes.kind === "addresses") {
    const meaning = codes.meanings[address];
    return meaning === undefined ? [] : [{ code: address, meaning }];
  }
  const octet = lastOctet(address);
  if (octet === undefined) return [];
  return Object.entries(codes.meanings)
    .filter(([bit]) => (octet & Number(bit)) !== 0)
    .map(([, meaning]) => ({ code: address, meaning }));
}

/** Of 127.0.0.x; undefined: it is another address. */
function lastOctet(address: string): number | undefined {
  const [, octet] = /^127\.0\.0\.(\d{1,3})$/.exec(address) ?? [];
  return octet === undefined ? undefined : Number(octet);
}

/** The text of a failure names what was asked for, and so may hold a key: only its code goes on. */
function readFailure(code: FailureCode): Reading {
  const reason = failures[code] ?? "no answer that can be used";
  return { state: code === "refused" ? "refused" : "error", codes: [], reason };
}

const failures: Readonly<Partial<Record<FailureCode, string>>> = {
  refused: "the name server answers REFUSED",
  servfail: "the name server answers SERVFAIL",
  other_rcode: "the name server answers with an error",
  timeout: "no answer in time",
  unreachable: "the name server cannot be reached",
};
