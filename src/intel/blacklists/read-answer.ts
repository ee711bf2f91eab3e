import type { FailureCode } from "../../dns/failure.ts";
import type { DnsResult } from "../../dns/records.ts";
import type { Blacklist, ListingCode } from "./blacklist.ts";

/**
 * Result of one check at a list.
 *
 * - `listed`, `clean`: the answer of the list
 * - `refused`: the list, or a server on the way to it, refuses queries
 * - `error`: no answer, or a meaningless one
 * - `unreliable`: an answer that this list does not give: from another server, or the list is broken
 */
export type AnswerState = "listed" | "clean" | "refused" | "error" | "unreliable";

export interface Reading {
  readonly state: AnswerState;
  /** Codes of a listing; otherwise empty. */
  readonly codes: readonly ListingCode[];
  /**
   * Why the result is neither listed nor clean, as a clause. It contains nothing of query and answer except
   * addresses.
   */
  readonly reason?: string;
}

/** Interprets the answer to an A query. Only NXDOMAIN and no data are clean. */
export function readAnswer(list: Blacklist, answer: DnsResult<string>): Reading {
  if (answer.kind === "failed") return readFailure(answer.code);
  if (answer.kind !== "records" || answer.records.length === 0) return { state: "clean", codes: [] };
  const records = [...new Set(answer.records)];
  const foreign = records.find((one) => !one.startsWith("127."));
  if (foreign !== undefined) return unreliable(`${foreign} is outside of 127.0.0.0/8, which no list uses`);
  for (const one of records) {
    const refusal = refusalOf(list, one);
    if (refusal !== undefined) return { state: "refused", codes: [], reason: `${one}: ${refusal}` };
  }
  const codes = records.flatMap((one) => codesOf(list, one));
  if (codes.length === 0) return unreliable(`${records[0]} is not a code of this list`);
  return { state: "listed", codes };
}

function unreliable(reason: string): Reading {
  return { state: "unreliable", codes: [], reason };
}

/** Spamhaus introduced 127.255.255.x, and other lists adopted it. */
const COMMON_REFUSALS: Readonly<Record<string, string>> = {
  "127.255.255.252": "the name of the list is misspelled, or the key is unknown",
  "127.255.255.254": "the list refuses queries from open resolvers",
  "127.255.255.255": "the list refuses the resolver because it sends too many queries or is not registered",
  "127.0.0.1": "not a listing: the list refuses the resolver, or the resolver rewrites answers",
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

/** The last octet of 127.0.0.x; undefined: another address. */
function lastOctet(address: string): number | undefined {
  const [, octet] = /^127\.0\.0\.(\d{1,3})$/.exec(address) ?? [];
  return octet === undefined ? undefined : Number(octet);
}

/** The text of a failure contains the queried name, and possibly a key. Only its code is used. */
function readFailure(code: FailureCode): Reading {
  const reason = failures[code] ?? "no usable answer";
  return { state: code === "refused" ? "refused" : "error", codes: [], reason };
}

const failures: Readonly<Partial<Record<FailureCode, string>>> = {
  refused: "the name server answered REFUSED",
  servfail: "the name server answered SERVFAIL",
  other_rcode: "the name server answered with an error",
  timeout: "no answer in time",
  unreachable: "the name server is unreachable",
};
