import { hostName } from "../../dns/names.ts";
import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import type { CheckId } from "../catalogue.ts";
import {
  type CheckResult,
  type CheckStatus,
  type Evidence,
  expectedFields,
  fixFields,
  observedFields,
} from "../check-result.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { worstStatus } from "../worst-status.ts";
import { forwardType, isSameAddress, reverseName } from "./reverse-name.ts";

interface ReverseCheck {
  /** Sending addresses of the domain. */
  readonly addresses: readonly string[];
  readonly dns: ProbeDns;
}

/** Names of one address, and whether one of them resolves to it. */
interface Reverse {
  readonly address: string;
  readonly ptr: CheckStatus;
  readonly fcrdns: CheckStatus;
  readonly observed: Phrase;
  readonly evidence: readonly Evidence[];
}

/** Limit for one address: a mail server has few names, and each costs lookups. */
const MAX_NAMES = 5;
const EXPECTED = {
  "reputation.ptr": phrase("reverse.ptr_expected"),
  "reputation.fcrdns": phrase("reverse.fcrdns_expected"),
} as const;

/**
 * Checks whether sending addresses have names that resolve to them: `reputation.ptr`, `reputation.fcrdns`. The worst
 * address counts.
 */
export async function checkReverse({ addresses, dns }: ReverseCheck): Promise<CheckResult[]> {
  const ids = ["reputation.ptr", "reputation.fcrdns"] as const;
  if (addresses.length === 0) {
    const untested = { status: "not_tested", ...observedFields(phrase("reverse.no_address")) } as const;
    return ids.map((id) => ({ id, ...untested, ...expectedFields(EXPECTED[id]), evidence: [] }));
  }
  const all = await Promise.all(addresses.map((address) => readReverse(address, dns)));
  return [
    resultOf("reputation.ptr", all, ({ ptr }) => ptr),
    resultOf("reputation.fcrdns", all, ({ fcrdns }) => fcrdns),
  ];
}

function resultOf(
  id: CheckId & keyof typeof EXPECTED,
  all: readonly Reverse[],
  statusOf: (one: Reverse) => CheckStatus,
): CheckResult {
  const status = worstStatus(all.map(statusOf));
  const observed = all
    .filter((one) => statusOf(one) === status)
    .flatMap(({ address, observed: text }) => [phrase("host.label", { name: address }), text]);
  const isWrong = status === "fail" || status === "warn";
  return {
    id,
    status,
    ...observedFields(phrases(...observed)),
    ...expectedFields(EXPECTED[id]),
    evidence: all.flatMap(({ evidence }) => evidence),
    ...(isWrong && { fix: fixFields(phrase("reverse.ask_provider")) }),
  };
}

async function readReverse(address: string, dns: ProbeDns): Promise<Reverse> {
  const name = reverseName(address);
  const { answer, evidence } = await dns.lookUp(name, "PTR");
  const asked = { address, evidence: [evidence] };
  if (answer.kind === "failed")
    return {
      ...asked,
      ptr: "error",
      fcrdns: "error",
      observed: phrase("reverse.lookup_failed", { reason: answer.reason }),
    };
  if (answer.kind !== "records")
    return { ...asked, ptr: "fail", fcrdns: "fail", observed: phrase("reverse.none") };
  const names = answer.records.flatMap((record) => hostName(record) ?? []).slice(0, MAX_NAMES);
  if (names.length === 0)
    return { ...asked, ptr: "fail", fcrdns: "fail", observed: phrase("reverse.not_a_host") };
  const forward = await Promise.all(names.map((one) => dns.lookUp(one, forwardType(address))));
  const evidences = [evidence, ...forward.map((one) => one.evidence)];
  const leadsBack = forward.some(
    ({ answer: back }) => back.kind === "records" && back.records.some((one) => isSameAddress(one, address)),
  );
  const found = { address, ptr: "pass", evidence: evidences } as const;
  if (leadsBack) return { ...found, fcrdns: "pass", observed: phrase("reverse.resolves", { names }) };
  const failed = forward.find(({ answer: back }) => back.kind === "failed");
  if (failed?.answer.kind === "failed")
    return {
      ...found,
      fcrdns: "error",
      observed: phrase("reverse.lookup_failed", { reason: failed.answer.reason }),
    };
  return { ...found, fcrdns: "fail", observed: phrase("reverse.elsewhere", { names }) };
}
