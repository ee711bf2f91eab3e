import { createHash, X509Certificate } from "node:crypto";
import { subjectPublicKeyInfo } from "../../transport-security/dane/subject-public-key.ts";
import type { Evaluation, Fix } from "../check-result.ts";
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
      observed: "Hermod's resolver does not validate DNSSEC, which DANE requires.",
    };
  const evaluated = [...dane.byHost].flatMap(([host, found]): LabelledJudgement[] => {
    const ofHost = sights.filter((sight) => sight.host === host);
    if (found.kind === "records")
      return evaluateSights(ofHost, (startTls) => evaluateMatch(found, startTls, subject));
    const seen = ofHost.flatMap((sight) => ("startTls" in sight ? [sight.startTls] : []));
    return [{ label: host, ...evaluateRest(host, found, seen, subject) }];
  });
  return worstOf(evaluated, "TLSA records match the certificates of all mail servers");
}

function evaluateMatch(
  { name, records }: Extract<HostDane, { readonly kind: "records" }>,
  startTls: StartTls,
  { domain, now }: DaneSubject,
): Evaluation {
  if (startTls.kind === "unknown")
    return {
      status: "error",
      observed: "There are TLSA records, but Hermod could not read the certificate.",
    };
  if (startTls.kind !== "works")
    return {
      status: "fail",
      observed: "It has TLSA records, but STARTTLS does not work, so senders with DANE hold mail for it.",
      fix: { text: `Repair STARTTLS, or remove the TLSA records of ${tlsaName(name)} until then.` },
    };
  const fix = publish(name, startTls.tls, "Replace the existing records with this one.");
  if (records.length === 0)
    return {
      status: "warn",
      observed:
        "None of its TLSA records is usable: mail servers support only the usages 2 and 3 (RFC 7672 section 3.1.3).",
      fix,
    };
  const fault = whyNoMatch(startTls.tls, records, { names: [name, domain], now });
  if (fault === undefined) return NOTHING_WRONG;
  return {
    status: "fail",
    observed: `Senders with DANE hold mail for it: ${fault}.`,
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
      return { status: "error", observed: `It is unknown whether DANE applies: ${found.reason}.` };
    case "failed":
      return evaluateFailure(found);
    case "none":
      return {
        status: "warn",
        observed:
          "It has no TLSA records. DANE is optional, but without it an attacker on the path can prevent TLS.",
        fix: works
          ? publish(host, works.tls, "If you run this mail server, publish this record.")
          : { text: "When STARTTLS works, publish a TLSA record of the mail server's key." },
      };
    case "insecure": {
      const unsigned = `DANE cannot be used because ${found.what} not signed with DNSSEC. DANE is optional.`;
      const fault =
        works &&
        found.records.length > 0 &&
        whyNoMatch(works.tls, found.records, { names: [host, domain], now });
      const also = fault ? ` It has signed TLSA records, and some senders use them: ${fault}.` : "";
      return {
        status: "warn",
        observed: `${unsigned}${also}`,
        fix: {
          text: "Sign the zone with DNSSEC, if its provider offers that, and then publish TLSA records.",
        },
      };
    }
  }
}

function evaluateFailure({
  name,
  reason,
  isBogus,
}: Extract<HostDane, { readonly kind: "failed" }>): Evaluation {
  if (!isBogus)
    return {
      status: "error",
      observed: `The lookup of its TLSA records failed: ${reason}. During such a failure, senders with DANE hold mail for it (RFC 7672 section 2.1.2).`,
    };
  return {
    status: "fail",
    observed: `The signatures of ${tlsaName(name)} are invalid, so senders with DANE hold mail for it (RFC 7672 section 2.1.2).`,
    fix: { text: `Ask the DNS operator of ${name} to sign its zone again, including denials of existence.` },
  };
}

/**
 * A record of the key only, so that it stays valid when the certificate is renewed with the same key (RFC 7671
 * section 5.1).
 */
function publish(host: string, { certificates: [der] }: TlsFacts, text: string): Fix {
  const key = subjectPublicKeyInfo(new X509Certificate(der).raw);
  const digest = createHash("sha256").update(key).digest("hex");
  return {
    record: { name: tlsaName(host), type: "TLSA", value: `3 1 1 ${digest}` },
    text: `${text} Before the server gets another key, publish a second record for that key, and wait for the TTL.`,
  };
}
