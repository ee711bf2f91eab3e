import type { ExtendedError } from "../../dns/extended-errors.ts";
import type { DnsFailure, RecordType } from "../../dns/records.ts";
import type { Validation, Validator } from "../../dns/validator.ts";
import type { Clock } from "../../shared/clock.ts";
import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import {
  type CheckResult,
  type Evaluation,
  type Evidence,
  expectedFields,
  fixFields,
  observedFields,
} from "../check-result.ts";
import { dnsEvidence } from "../dns-evidence.ts";
import type { ProbeDns } from "../probe-dns.ts";

interface DnssecCheck {
  /** In A-labels. */
  readonly domain: string;
  readonly dns: ProbeDns;
  readonly validator: Validator;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Checks whether DNSSEC protects the domain: `infra.dnssec`.
 *
 * - secure: pass
 * - bogus: fail. The score has a cap for it, because validating senders cannot send to the domain.
 * - insecure: warn, an informational finding. DNSSEC is optional, so its absence costs at most half of this one
 *   check. Signing the zone raises the score. Deletion of the DS record lowers the score of a valid zone, and raises
 *   that of a bogus zone, because mail arrives again. `not_tested` would be untrue and would cost coverage.
 * - no validating server: not tested
 */
export async function checkDnssec({ domain, dns, validator, clock }: DnssecCheck): Promise<CheckResult[]> {
  // A zone may have an invalid signature for one type only. Mail needs MX.
  const [zone, mail] = await Promise.all([
    validator.validate(domain, "SOA"),
    validator.validate(domain, "MX"),
  ]);
  const at = clock.now();
  const evidence = [
    ...validationEvidence(domain, "SOA", zone, at),
    ...validationEvidence(domain, "MX", mail, at),
  ];
  const result = (evaluation: Evaluation, more: readonly Evidence[] = []): CheckResult[] => [
    {
      id: "infra.dnssec",
      ...evaluation,
      ...expectedFields(phrase("dnssec.expected")),
      evidence: [...evidence, ...more],
    },
  ];
  for (const one of [zone, mail]) {
    if (one.kind === "bogus") return result(evaluateBogus(domain, one.failure));
  }
  if (zone.kind === "no_validator") {
    const { servers } = zone;
    return result({ status: "not_tested", ...observedFields(phrase("dnssec.no_validator", { servers })) });
  }
  if (zone.kind !== "answered") {
    const { reason } = zone.failure;
    return result({ status: "error", ...observedFields(phrase("dnssec.lookup_failed", { reason })) });
  }
  if (zone.result.kind === "no_domain")
    return result({ status: "not_tested", ...observedFields(phrase("dnssec.no_domain")) });
  if (zone.result.authenticated) return result({ status: "pass", ...observedFields(phrase("dnssec.valid")) });
  const [keys, delegation] = await Promise.all([dns.lookUp(domain, "DNSKEY"), dns.lookUp(domain, "DS")]);
  const evaluation = evaluateInsecure(keys.answer.kind === "records", delegation.answer.kind === "records");
  return result(evaluation, [keys.evidence, delegation.evidence]);
}

function evaluateBogus(domain: string, failure: DnsFailure): Evaluation {
  const { extendedErrors = [] } = failure;
  const reason = extendedErrors.map(shownError).join("; ");
  return {
    status: "fail",
    ...observedFields(
      reason === "" ? phrase("dnssec.bogus", { domain }) : phrase("dnssec.bogus_because", { domain, reason }),
    ),
    fix: fixFields(phrases(adviceFor(extendedErrors), phrase("dnssec.remove_ds"))),
  };
}

function evaluateInsecure(hasKeys: boolean, hasDelegation: boolean): Evaluation {
  const warn = (observed: Phrase, action: Phrase): Evaluation => ({
    status: "warn",
    ...observedFields(observed),
    fix: fixFields(action),
  });
  if (hasDelegation) return warn(phrase("dnssec.algorithm"), phrase("dnssec.other_algorithm"));
  if (hasKeys) return warn(phrase("dnssec.no_ds"), phrase("dnssec.publish_ds"));
  return warn(phrase("dnssec.unsigned"), phrase("dnssec.sign"));
}

/** Meaning of the extended errors about signatures, and advice for customers (RFC 8914 section 4). */
const errors: Readonly<Record<number, { readonly meaning: string; readonly advice?: Phrase }>> = {
  6: { meaning: "the signatures are bogus" },
  7: { meaning: "a signature has expired", advice: phrase("dnssec.expired") },
  8: {
    meaning: "a signature is not valid yet",
    advice: phrase("dnssec.not_yet"),
  },
  9: {
    meaning: "no key matches the DS record",
    advice: phrase("dnssec.other_key"),
  },
  10: {
    meaning: "signatures are missing",
    advice: phrase("dnssec.unsigned_records"),
  },
  11: { meaning: "the key is not a zone key" },
  12: {
    meaning: "the proof that a name does not exist is missing",
    advice: phrase("dnssec.no_nsec"),
  },
  25: { meaning: "a signature expires before it is valid" },
  27: {
    meaning: "NSEC3 has too many iterations",
    advice: phrase("dnssec.iterations"),
  },
};

function shownError({ code, text }: ExtendedError): string {
  const meaning = errors[code]?.meaning;
  const parts = [meaning, text && `"${text}"`].filter(Boolean).join(", ");
  return `extended error ${code}${parts && `, ${parts}`}`;
}

function adviceFor(found: readonly ExtendedError[]): Phrase {
  const known = found.flatMap(({ code }) => errors[code]?.advice ?? []);
  return known[0] ?? phrase("dnssec.sign_again");
}

function validationEvidence(
  name: string,
  type: RecordType,
  validation: Validation<unknown>,
  at: Date,
): Evidence[] {
  switch (validation.kind) {
    case "answered":
      return [dnsEvidence({ name, type, answer: validation.result, at })];
    case "failed":
      return [dnsEvidence({ name, type, answer: validation.failure, at })];
    case "bogus": {
      const unchecked = dnsEvidence({ name, type, answer: validation.unchecked, at });
      return [
        dnsEvidence({ name, type, answer: validation.failure, at }),
        { ...unchecked, checkingDisabled: true },
      ];
    }
    default:
      return [];
  }
}
