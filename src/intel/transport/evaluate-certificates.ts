import { X509Certificate } from "node:crypto";
import { minuteText } from "../../shared/minute-text.ts";
import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import { type Evaluation, fixFields, observedFields } from "../check-result.ts";
import type { TlsFacts } from "../mail-host-probe/mail-host-probe.ts";
import type { CertificateDemand } from "./certificate-demand.ts";
import { evaluateSights, NOTHING_WRONG, worstOf } from "./evaluate-sights.ts";
import { withoutTls } from "./evaluate-starttls.ts";
import type { Sight } from "./sight.ts";

export interface CertificateSubject {
  readonly sights: readonly Sight[];
  readonly demandOf: (host: string, tls: TlsFacts) => CertificateDemand;
  readonly now: Date;
}

/** A problem of a certificate, and its fix. */
interface Fault {
  readonly text: Phrase;
  readonly fix: Phrase;
}

const DAY_MS = 86_400_000;
const LONGEST_NOTICE_MS = 14 * DAY_MS;
/** Share of the lifetime: certificates that are valid for six days are renewed, too. */
const NOTICE_SHARE = 1 / 3;

/**
 * Judges `transport.cert_trust`: whether a public authority, or an authority from TLSA records, has issued the
 * certificate.
 */
export function evaluateTrust(subject: CertificateSubject): Evaluation {
  const evaluated = evaluateEach(subject, (tls, demand) =>
    demand.vouchedBy === undefined ? whyUntrusted(tls) : undefined,
  );
  return worstOf(evaluated, phrase("certificate.all_trusted"));
}

/** Judges `transport.cert_name`: only alternative names count (RFC 9525 section 6.3). */
export function evaluateName(subject: CertificateSubject): Evaluation {
  const evaluated = evaluateEach(subject, (tls, demand) =>
    demand.vouchedBy === undefined ? whyNotNamed(tls, demand.names) : undefined,
  );
  return worstOf(evaluated, phrase("certificate.all_named"));
}

/** `transport.cert_expiry`. */
export function evaluateExpiry(subject: CertificateSubject): Evaluation {
  const { now } = subject;
  const evaluated = evaluateEach(
    subject,
    (tls, demand) => (demand.vouchedBy === "key" ? undefined : whyOutOfDate(tls, now)),
    (tls) => whyShort(tls, now),
  );
  return worstOf(evaluated, phrase("certificate.none_expires"));
}

/**
 * A fault costs mail only if a policy makes senders check the certificate. Other senders encrypt anyway.
 * @param noticeOf a future problem, for which no sender rejects the certificate
 */
function evaluateEach(
  { sights, demandOf }: CertificateSubject,
  faultOf: (tls: TlsFacts, demand: CertificateDemand) => Fault | undefined,
  noticeOf: (tls: TlsFacts) => Fault | undefined = () => undefined,
) {
  return evaluateSights(sights, (startTls, { host }) => {
    if (startTls.kind !== "works") return withoutTls(startTls);
    const { tls } = startTls;
    const demand = demandOf(host, tls);
    const fault = faultOf(tls, demand);
    if (fault) return weighed(fault, demand);
    if (demand.vouchedBy === "key")
      return { status: "pass", ...observedFields(phrase("certificate.key_authenticated")) };
    const notice = noticeOf(tls);
    return notice ? warning(notice) : NOTHING_WRONG;
  });
}

function weighed(fault: Fault, { demandedBy, unknown }: CertificateDemand): Evaluation {
  if (demandedBy.length > 0) {
    const cost = phrase("certificate.costs_mail", { policies: demandedBy });
    return {
      status: "fail",
      ...observedFields(phrases(fault.text, cost)),
      fix: fixFields(fault.fix),
    };
  }
  if (unknown) return { status: "error", ...observedFields(phrases(fault.text, unknown)) };
  return warning(fault);
}

function warning({ text, fix }: Fault): Evaluation {
  return { status: "warn", ...observedFields(text), fix: fixFields(fix) };
}

/** By the code of OpenSSL. */
const UNTRUSTED: Readonly<Record<string, Phrase>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: phrase("certificate.self_signed"),
  SELF_SIGNED_CERT_IN_CHAIN: phrase("certificate.not_public"),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: phrase("certificate.no_chain"),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: phrase("certificate.not_public_or_no_chain"),
  CERT_HAS_EXPIRED: phrase("certificate.intermediate_expired"),
  CERT_NOT_YET_VALID: phrase("certificate.intermediate_not_valid"),
};

function whyUntrusted({ untrusted }: TlsFacts): Fault | undefined {
  if (untrusted === undefined) return undefined;
  const text = UNTRUSTED[untrusted] ?? phrase("certificate.untrusted", { code: untrusted });
  return { text, fix: phrase("certificate.have_issued") };
}

function whyNotNamed(
  { certificates, certificate }: TlsFacts,
  names: CertificateDemand["names"],
): Fault | undefined {
  const [der] = certificates;
  const leaf = new X509Certificate(der);
  const options = { subject: "never", partialWildcards: false } as const;
  if (names.some((name) => leaf.checkHost(name, options) !== undefined)) return undefined;
  const [name, other] = names;
  const shown = certificate.names.slice(0, 5);
  return {
    text: phrases(
      other === undefined
        ? phrase("certificate.not_named", { name })
        : phrase("certificate.names_neither", { name, other }),
      shown.length === 0 ? phrase("certificate.no_names") : phrase("certificate.names", { names: shown }),
    ),
    fix: phrase("certificate.have_named", { name }),
  };
}

const RENEW = phrase("certificate.renew");

function whyOutOfDate({ certificate: { validFrom, validTo } }: TlsFacts, now: Date): Fault | undefined {
  if (now > validTo)
    return { text: phrase("certificate.expired", { time: minuteText(validTo) }), fix: RENEW };
  if (now >= validFrom) return undefined;
  return { text: phrase("certificate.not_valid", { time: minuteText(validFrom) }), fix: RENEW };
}

/** Authorities recommend renewal when a third of the lifetime is left. A timely renewal is complete by then. */
function whyShort({ certificate: { validFrom, validTo } }: TlsFacts, now: Date): Fault | undefined {
  const lifetimeMs = validTo.getTime() - validFrom.getTime();
  const leftMs = validTo.getTime() - now.getTime();
  if (leftMs >= Math.min(lifetimeMs * NOTICE_SHARE, LONGEST_NOTICE_MS)) return undefined;
  return { text: phrase("certificate.expires", { time: minuteText(validTo) }), fix: RENEW };
}
