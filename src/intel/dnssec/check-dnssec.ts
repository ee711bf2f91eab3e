import type { ExtendedError } from "../../dns/extended-errors.ts";
import type { DnsFailure, RecordType } from "../../dns/records.ts";
import type { Validation, Validator } from "../../dns/validator.ts";
import type { Clock } from "../../shared/clock.ts";
import type { CheckResult, Evaluation, Evidence } from "../check-result.ts";
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
      expected: "The domain's zone is signed, and validating resolvers accept its answers.",
      evidence: [...evidence, ...more],
    },
  ];
  for (const one of [zone, mail]) {
    if (one.kind === "bogus") return result(evaluateBogus(domain, one.failure));
  }
  if (zone.kind === "no_validator") {
    const servers = zone.servers.join(", ");
    const observed = `It is unknown whether the zone is signed: none of the queried DNS servers (${servers}) validates DNSSEC.`;
    return result({ status: "not_tested", observed });
  }
  if (zone.kind !== "answered")
    return result({ status: "error", observed: `The lookup of the zone failed: ${zone.failure.reason}.` });
  if (zone.result.kind === "no_domain")
    return result({ status: "not_tested", observed: "The domain does not exist." });
  if (zone.result.authenticated)
    return result({ status: "pass", observed: "The zone is signed with valid signatures." });
  const [keys, delegation] = await Promise.all([dns.lookUp(domain, "DNSKEY"), dns.lookUp(domain, "DS")]);
  const evaluation = evaluateInsecure(keys.answer.kind === "records", delegation.answer.kind === "records");
  return result(evaluation, [keys.evidence, delegation.evidence]);
}

function evaluateBogus(domain: string, failure: DnsFailure): Evaluation {
  const { extendedErrors = [] } = failure;
  const why = extendedErrors.map(shownError).join("; ");
  return {
    status: "fail",
    observed: `The DNSSEC signatures for ${domain} are invalid: a validating server returns SERVFAIL${
      why && ` (${why})`
    }, but answers without validation. Validating servers cannot send to the domain or check its mail.`,
    fix: {
      text: `${adviceFor(extendedErrors)} If that takes time, have the DS record removed at the registrar. An unsigned zone loses no mail.`,
    },
  };
}

function evaluateInsecure(hasKeys: boolean, hasDelegation: boolean): Evaluation {
  const warn = (observed: string, text: string): Evaluation => ({
    status: "warn",
    observed,
    fix: { text },
  });
  if (hasDelegation)
    return warn(
      "There is a DS record, but the validating server ignores it because it does not support the algorithms.",
      "Sign the zone with a widely supported algorithm, such as ECDSA P-256 (13), and replace the DS record.",
    );
  if (hasKeys)
    return warn(
      "The zone is signed, but the parent zone has no DS record for it, so resolvers cannot verify the signatures.",
      "Have the DS record of the zone's key published at the registrar.",
    );
  return warn(
    "The domain has no DNSSEC signatures. DNSSEC is optional, but unsigned answers can be forged, and DANE requires DNSSEC.",
    "Have the DNS provider sign the zone, then have its DS record published at the registrar.",
  );
}

/** Meaning of the extended errors about signatures, and advice for customers (RFC 8914 section 4). */
const errors: Readonly<Record<number, { readonly meaning: string; readonly advice?: string }>> = {
  6: { meaning: "the signatures are bogus" },
  7: { meaning: "a signature has expired", advice: "Have the zone signed again. A signature has expired." },
  8: {
    meaning: "a signature is not valid yet",
    advice: "Check the clock of the server that signs the zone. A signature is not valid yet.",
  },
  9: {
    meaning: "no key matches the DS record",
    advice: "Replace the DS record at the registrar. The zone has no matching key.",
  },
  10: {
    meaning: "signatures are missing",
    advice: "Have the whole zone signed again. Signatures are missing.",
  },
  11: { meaning: "the key is not a zone key" },
  12: {
    meaning: "the proof that a name does not exist is missing",
    advice: "Have the whole zone signed again. Its NSEC records are missing.",
  },
  25: { meaning: "a signature expires before it is valid" },
  27: {
    meaning: "NSEC3 has too many iterations",
    advice: "Set the NSEC3 iterations of the zone to 0 (RFC 9276 section 3.1).",
  },
};

function shownError({ code, text }: ExtendedError): string {
  const meaning = errors[code]?.meaning;
  const parts = [meaning, text && `"${text}"`].filter(Boolean).join(", ");
  return `extended error ${code}${parts && `, ${parts}`}`;
}

function adviceFor(found: readonly ExtendedError[]): string {
  const known = found.flatMap(({ code }) => errors[code]?.advice ?? []);
  return known[0] ?? "Have the zone signed again, and compare the DS record at the registrar with its key.";
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
