import { createHash, X509Certificate } from "node:crypto";
import { subjectPublicKeyInfo } from "../../transport-security/dane/subject-public-key.ts";
import type { Fix, Judgement } from "../check-result.ts";
import type { StartTls, TlsFacts } from "../mail-host-probe/mail-host-probe.ts";
import { whyNoMatch } from "./certificate-demand.ts";
import { type DaneFacts, type HostDane, tlsaName } from "./find-dane.ts";
import { judgeSights, type LabelledJudgement, NOTHING_WRONG, worstOf } from "./judge-sights.ts";
import type { Sight } from "./sight.ts";

export interface DaneSubject {
  readonly domain: string;
  /** Undefined: the resolver does not validate. */
  readonly dane: DaneFacts | undefined;
  readonly sights: readonly Sight[];
  readonly now: Date;
}

/**
 * `transport.dane`. It fails only where senders keep mail back from a server. A record is there for nothing but to be matched: one
 * that does not is wrong, whatever the other servers have.
 */
export function judgeDane(subject: DaneSubject): Judgement {
  const { dane, sights } = subject;
  if (!dane)
    return {
      status: "not_tested",
      observed: "The resolver that Hermod asks does not validate DNSSEC, and without that there is no DANE.",
    };
  const judged = [...dane.byHost].flatMap(([host, found]): LabelledJudgement[] => {
    const ofHost = sights.filter((sight) => sight.host === host);
    if (found.kind === "records")
      return judgeSights(ofHost, (startTls) => judgeMatch(found, startTls, subject));
    const seen = ofHost.flatMap((sight) => ("startTls" in sight ? [sight.startTls] : []));
    return [{ label: host, ...judgeRest(host, found, seen, subject) }];
  });
  return worstOf(judged, "TLSA records match the certificates of all mail servers");
}

function judgeMatch(
  { name, records }: Extract<HostDane, { readonly kind: "records" }>,
  startTls: StartTls,
  { domain, now }: DaneSubject,
): Judgement {
  if (startTls.kind === "unknown")
    return { status: "error", observed: "There are TLSA records, but its certificate could not be seen." };
  if (startTls.kind !== "works")
    return {
      status: "fail",
      observed: "It has TLSA records, and STARTTLS does not work: senders with DANE keep mail back from it.",
      fix: { text: `Mend STARTTLS, or remove the TLSA records of ${tlsaName(name)} until then.` },
    };
  const fix = publish(name, startTls.tls, "Publish this record in the place of those that are there.");
  if (records.length === 0)
    return {
      status: "warn",
      observed:
        "None of its TLSA records can be used: mail servers know the usages 2 and 3 only (RFC 7672 section 3.1.3).",
      fix,
    };
  const fault = whyNoMatch(startTls.tls, records, { names: [name, domain], now });
  if (fault === undefined) return NOTHING_WRONG;
  return {
    status: "fail",
    observed: `Senders with DANE keep mail back from it: ${fault}.`,
    fix,
  };
}

function judgeRest(
  host: string,
  found: Exclude<HostDane, { readonly kind: "records" }>,
  seen: readonly StartTls[],
  { domain, now }: DaneSubject,
): Judgement {
  const works = seen.find((startTls) => startTls.kind === "works");
  switch (found.kind) {
    case "unknown":
      return { status: "error", observed: `It is not known whether DANE applies: ${found.reason}.` };
    case "failed":
      return judgeFailure(found);
    case "none":
      return {
        status: "warn",
        observed:
          "It has no TLSA records: that is no fault, but whoever is in between can keep senders from TLS.",
        fix: works
          ? publish(host, works.tls, "If you run this mail server, publish this record.")
          : { text: "Once STARTTLS works, publish a TLSA record of the mail server's key." },
      };
    case "insecure": {
      const unsigned = `DANE cannot be used with it, as ${found.what} not signed with DNSSEC: that is no fault.`;
      const fault =
        works &&
        found.records.length > 0 &&
        whyNoMatch(works.tls, found.records, { names: [host, domain], now });
      const also = fault ? ` It has signed TLSA records, and some senders go by them: ${fault}.` : "";
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

function judgeFailure({ name, reason, isBogus }: Extract<HostDane, { readonly kind: "failed" }>): Judgement {
  if (!isBogus)
    return {
      status: "error",
      observed: `Its TLSA records could not be looked up: ${reason}. While that is so, senders with DANE keep mail back from it (RFC 7672 section 2.1.2).`,
    };
  return {
    status: "fail",
    observed: `The signatures of ${tlsaName(name)} are not valid: senders with DANE keep mail back from it (RFC 7672 section 2.1.2).`,
    fix: { text: `Have those who run the DNS of ${name} sign its zone again, denials of records included.` },
  };
}

/** Of the key alone: so the record holds when the certificate is renewed with the same key (RFC 7671 section 5.1). */
function publish(host: string, { certificates: [der] }: TlsFacts, text: string): Fix {
  const key = subjectPublicKeyInfo(new X509Certificate(der).raw);
  const digest = createHash("sha256").update(key).digest("hex");
  return {
    record: { name: tlsaName(host), type: "TLSA", value: `3 1 1 ${digest}` },
    text: `${text} Before the server gets another key, publish the record of that key beside it, and wait for the TTL.`,
  };
}
