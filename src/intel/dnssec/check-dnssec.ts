import type { ExtendedError } from "../../dns/extended-errors.ts";
import type { DnsFailure, RecordType } from "../../dns/records.ts";
import type { Validation, Validator } from "../../dns/validator.ts";
import type { Clock } from "../../shared/clock.ts";
import type { CheckResult, Evidence, Judgement } from "../check-result.ts";
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
 * Whether DNSSEC vouches for the domain: `infra.dnssec`.
 *
 * - secure: pass. Bogus: fail, and the score has a cap for it, as nobody who validates can write to the domain.
 * - insecure: warn, a finding that only informs. DNSSEC is optional, and so its absence costs no more than half of this one
 *   check. It does cost that: so to sign the zone raises the score, to delete the DS record of a valid zone lowers it, and
 *   of one that is bogus raises it, as mail arrives again. `not_tested` would be untrue, and cost coverage.
 * - no server that validates: not tested.
 */
export async function checkDnssec({ domain, dns, validator, clock }: DnssecCheck): Promise<CheckResult[]> {
  // A zone may have a bad signature at one type alone, and MX is the one that mail needs.
  const [zone, mail] = await Promise.all([
    validator.validate(domain, "SOA"),
    validator.validate(domain, "MX"),
  ]);
  const at = clock.now();
  const evidence = [
    ...validationEvidence(domain, "SOA", zone, at),
    ...validationEvidence(domain, "MX", mail, at),
  ];
  const result = (judgement: Judgement, more: readonly Evidence[] = []): CheckResult[] => [
    {
      id: "infra.dnssec",
      ...judgement,
      expected: "The domain's zone is signed, and whoever validates its answers finds them valid.",
      evidence: [...evidence, ...more],
    },
  ];
  for (const one of [zone, mail]) {
    if (one.kind === "bogus") return result(judgeBogus(domain, one.failure));
  }
  if (zone.kind === "no_validator") {
    const servers = zone.servers.join(", ");
    const observed = `Whether the zone is signed is not known: no DNS server that is asked (${servers}) validates DNSSEC.`;
    return result({ status: "not_tested", observed });
  }
  if (zone.kind !== "answered")
    return result({ status: "error", observed: `The zone could not be looked up: ${zone.failure.reason}.` });
  if (zone.result.kind === "no_domain")
    return result({ status: "not_tested", observed: "The domain does not exist." });
  if (zone.result.authenticated)
    return result({ status: "pass", observed: "The zone is signed, and its signatures are valid." });
  const [keys, delegation] = await Promise.all([dns.lookUp(domain, "DNSKEY"), dns.lookUp(domain, "DS")]);
  const judgement = judgeInsecure(keys.answer.kind === "records", delegation.answer.kind === "records");
  return result(judgement, [keys.evidence, delegation.evidence]);
}

function judgeBogus(domain: string, failure: DnsFailure): Judgement {
  const { extendedErrors = [] } = failure;
  const why = extendedErrors.map(shownError).join("; ");
  return {
    status: "fail",
    observed: `The DNSSEC signatures for ${domain} are not valid: a server that validates answers nothing (SERVFAIL${
      why && `: ${why}`
    }), and without validating it answers. Whoever validates cannot send to the domain, nor check its mail.`,
    fix: {
      text: `${adviceFor(extendedErrors)} If that takes time, have the DS record removed at the registrar: an unsigned zone loses no mail.`,
    },
  };
}

function judgeInsecure(hasKeys: boolean, hasDelegation: boolean): Judgement {
  const warn = (observed: string, text: string): Judgement => ({
    status: "warn",
    observed,
    fix: { text },
  });
  if (hasDelegation)
    return warn(
      "There is a DS record, but the server that validates does not use it: it knows its algorithms no more, or not yet.",
      "Sign the zone with an algorithm that all know, as ECDSA P-256 (13), and replace the DS record.",
    );
  if (hasKeys)
    return warn(
      "The zone is signed, but the zone above has no DS record for it: nobody can rely on the signatures.",
      "Have the DS record of the zone's key published at the registrar.",
    );
  return warn(
    "No DNSSEC signatures vouch for the domain: that is no fault, but answers can be forged, and DANE needs signatures.",
    "Have the zone signed by its DNS provider, and then its DS record published at the registrar.",
  );
}

/** What customers can make of the extended errors that concern signatures (RFC 8914 section 4). */
const errors: Readonly<Record<number, { readonly meaning: string; readonly advice?: string }>> = {
  6: { meaning: "the signatures are bogus" },
  7: { meaning: "a signature has expired", advice: "Have the zone signed anew: a signature has expired." },
  8: {
    meaning: "a signature is not valid yet",
    advice: "Look at the clock of the server that signs the zone: a signature is not valid yet.",
  },
  9: {
    meaning: "no key matches the DS record",
    advice: "Replace the DS record at the registrar: the zone has no key that matches it.",
  },
  10: {
    meaning: "signatures are missing",
    advice: "Have the whole zone signed anew: signatures are missing.",
  },
  11: { meaning: "the key is none for a zone" },
  12: {
    meaning: "the proof that a name does not exist is missing",
    advice: "Have the whole zone signed anew: its NSEC records are missing.",
  },
  25: { meaning: "a signature expires before it is valid" },
  27: {
    meaning: "NSEC3 has too many iterations",
    advice: "Set the NSEC3 iterations of the zone to 0 (RFC 9276 section 3.1).",
  },
};

function shownError({ code, text }: ExtendedError): string {
  const meaning = errors[code]?.meaning;
  const words = [meaning, text && `"${text}"`].filter(Boolean).join(", ");
  return `extended error ${code}${words && `, ${words}`}`;
}

function adviceFor(found: readonly ExtendedError[]): string {
  const known = found.flatMap(({ code }) => errors[code]?.advice ?? []);
  return known[0] ?? "Have the zone signed anew, and compare the DS record at the registrar with its key.";
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
