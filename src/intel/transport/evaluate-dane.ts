import { createHash, X509Certificate } from "node:crypto";
import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import { subjectPublicKeyInfo } from "../../transport-security/dane/subject-public-key.ts";
import { type Evaluation, type Fix, fixFields, observedFields } from "../check-result.ts";
import type { StartTls, TlsFacts } from "../mail-host-probe/mail-host-probe.ts";
import { whyNoMatch } from "./certificate-demand.ts";
import { evaluateSights, type LabelledJudgement, NOTHING_WRONG, worstOf } from "./evaluate-sights.ts";
import { type DaneFacts, type HostDane, tlsaName } from "./find-dane.ts";
import type { Sight } from "./sight.ts";

export interface DaneSubject {
  readonly domain: string;
  /** Undefined: the resolver does not validate. */
  readonly dane: DaneFacts | undefined;
  readonly sights: readonly Sight[];
  readonly now: Date;
}

/**
 * Judges `transport.dane`. It fails only if senders hold mail for a server. A record only exists to be matched, so a
 * record that does not match is wrong, whatever the other servers have.
 */
export function evaluateDane(subject: DaneSubject): Evaluation {
  const { dane, sights } = subject;
  if (!dane)
    return {
      status: "not_tested",
      ...observedFields(phrase("tlsa.not_validating")),
    };
  const evaluated = [...dane.byHost].flatMap(([host, found]): LabelledJudgement[] => {
    const ofHost = sights.filter((sight) => sight.host === host);
    if (found.kind === "records")
      return evaluateSights(ofHost, (startTls) => evaluateMatch(found, startTls, subject));
    const seen = ofHost.flatMap((sight) => ("startTls" in sight ? [sight.startTls] : []));
    return [{ label: host, ...evaluateRest(host, found, seen, subject) }];
  });
  return worstOf(evaluated, phrase("tlsa.all_match"));
}

function evaluateMatch(
  { name, records }: Extract<HostDane, { readonly kind: "records" }>,
  startTls: StartTls,
  { domain, now }: DaneSubject,
): Evaluation {
  if (startTls.kind === "unknown")
    return {
      status: "error",
      ...observedFields(phrase("tlsa.certificate_unknown")),
    };
  if (startTls.kind !== "works")
    return {
      status: "fail",
      ...observedFields(phrase("tlsa.no_starttls")),
      fix: fixFields(phrase("tlsa.repair_starttls", { name: tlsaName(name) })),
    };
  const fix = publish(name, startTls.tls, phrase("tlsa.replace"));
  if (records.length === 0)
    return {
      status: "warn",
      ...observedFields(phrase("tlsa.none_usable")),
      fix,
    };
  const fault = whyNoMatch(startTls.tls, records, { names: [name, domain], now });
  if (fault === undefined) return NOTHING_WRONG;
  return {
    status: "fail",
    ...observedFields(phrase("tlsa.no_match", { reason: fault })),
    fix,
  };
}

function evaluateRest(
  host: string,
  found: Exclude<HostDane, { readonly kind: "records" }>,
  seen: readonly StartTls[],
  { domain, now }: DaneSubject,
): Evaluation {
  const works = seen.find((startTls) => startTls.kind === "works");
  switch (found.kind) {
    case "unknown":
      return { status: "error", ...observedFields(phrase("tlsa.unknown", { reason: found.reason })) };
    case "failed":
      return evaluateFailure(found);
    case "none":
      return {
        status: "warn",
        ...observedFields(phrase("tlsa.none")),
        fix: works
          ? publish(host, works.tls, phrase("tlsa.publish"))
          : fixFields(phrase("tlsa.after_starttls")),
      };
    case "insecure": {
      const fault =
        works &&
        found.records.length > 0 &&
        whyNoMatch(works.tls, found.records, { names: [host, domain], now });
      const also = fault ? phrase("tlsa.used_anyway", { reason: fault }) : undefined;
      return {
        status: "warn",
        ...observedFields(phrases(unsigned(found.what, domain), also)),
        fix: fixFields(phrase("tlsa.sign_zone")),
      };
    }
  }
}

function unsigned(what: Extract<HostDane, { readonly kind: "insecure" }>["what"], domain: string): Phrase {
  return what === "mx" ? phrase("tlsa.unsigned_mx", { domain }) : phrase(`tlsa.unsigned_${what}`);
}

function evaluateFailure({
  name,
  reason,
  isBogus,
}: Extract<HostDane, { readonly kind: "failed" }>): Evaluation {
  if (!isBogus)
    return {
      status: "error",
      ...observedFields(phrase("tlsa.lookup_failed", { reason })),
    };
  return {
    status: "fail",
    ...observedFields(phrase("tlsa.bogus", { name: tlsaName(name) })),
    fix: fixFields(phrase("tlsa.sign_again", { name })),
  };
}

/**
 * A record of the key only, so that it stays valid when the certificate is renewed with the same key (RFC 7671
 * section 5.1).
 */
function publish(host: string, { certificates: [der] }: TlsFacts, text: Phrase): Fix {
  const key = subjectPublicKeyInfo(new X509Certificate(der).raw);
  const digest = createHash("sha256").update(key).digest("hex");
  return {
    record: { name: tlsaName(host), type: "TLSA", value: `3 1 1 ${digest}` },
    ...fixFields(phrases(text, phrase("tlsa.next_key"))),
  };
}
