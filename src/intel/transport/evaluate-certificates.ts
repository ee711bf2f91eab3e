import { X509Certificate } from "node:crypto";
import { minuteText } from "../../shared/minute-text.ts";
import type { Evaluation, Fix } from "../check-result.ts";
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
  readonly text: string;
  readonly fix: Fix;
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
  return worstOf(evaluated, "The certificates of all mail servers are trusted");
}

/** Judges `transport.cert_name`: only alternative names count (RFC 9525 section 6.3). */
export function evaluateName(subject: CertificateSubject): Evaluation {
  const evaluated = evaluateEach(subject, (tls, demand) =>
    demand.vouchedBy === undefined ? whyNotNamed(tls, demand.names) : undefined,
  );
  return worstOf(evaluated, "The certificates of all mail servers contain the servers' names");
}

/** `transport.cert_expiry`. */
export function evaluateExpiry(subject: CertificateSubject): Evaluation {
  const { now } = subject;
  const evaluated = evaluateEach(
    subject,
    (tls, demand) => (demand.vouchedBy === "key" ? undefined : whyOutOfDate(tls, now)),
    (tls) => whyShort(tls, now),
  );
  return worstOf(evaluated, "The certificates of all mail servers do not expire soon");
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
      return {
        status: "pass",
        observed: "A TLSA record authenticates its key, regardless of the rest of its certificate.",
      };
    const notice = noticeOf(tls);
    return notice ? { status: "warn", observed: notice.text, fix: notice.fix } : NOTHING_WRONG;
  });
}

function weighed({ text, fix }: Fault, { demandedBy, unknown }: CertificateDemand): Evaluation {
  if (demandedBy !== undefined)
    return {
      status: "fail",
      observed: `${text} Senders that follow ${demandedBy} hold mail for it.`,
      fix,
    };
  if (unknown !== undefined)
    return { status: "error", observed: `${text} It is unknown whether that costs mail: ${unknown}.` };
  return { status: "warn", observed: text, fix };
}

const REASONS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "Its certificate is self-signed.",
  SELF_SIGNED_CERT_IN_CHAIN: "Its certificate comes from an authority that is not public.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "It sends only its own certificate, without the chain to a public authority.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "Its certificate comes from an authority that is not public, or an intermediate certificate is missing.",
  CERT_HAS_EXPIRED: "An intermediate certificate has expired.",
  CERT_NOT_YET_VALID: "An intermediate certificate is not valid yet.",
};

function whyUntrusted({ untrusted }: TlsFacts): Fault | undefined {
  if (untrusted === undefined) return undefined;
  const text = REASONS[untrusted] ?? `Its certificate does not lead to a public authority: ${untrusted}.`;
  return {
    text,
    fix: {
      text: "Have a public authority issue the certificate, and configure the server to send the complete chain.",
    },
  };
}

function whyNotNamed(
  { certificates, certificate }: TlsFacts,
  names: CertificateDemand["names"],
): Fault | undefined {
  const [der] = certificates;
  const leaf = new X509Certificate(der);
  const options = { subject: "never", partialWildcards: false } as const;
  if (names.some((name) => leaf.checkHost(name, options) !== undefined)) return undefined;
  const wanted = names.join(" or ");
  const shown = certificate.names.slice(0, 5).join(", ");
  const other = shown === "" ? "It has no alternative name" : `It is for ${shown}`;
  return {
    text: `Its certificate does not contain ${wanted}. ${other}.`,
    fix: { text: `Have a certificate issued that contains ${names[0]} as an alternative name.` },
  };
}

const RENEW: Fix = {
  text: "Renew the certificate, load it into the mail server, and automate the renewal.",
};

function whyOutOfDate({ certificate: { validFrom, validTo } }: TlsFacts, now: Date): Fault | undefined {
  if (now > validTo) return { text: `Its certificate expired at ${minuteText(validTo)}.`, fix: RENEW };
  if (now >= validFrom) return undefined;
  return { text: `Its certificate is not valid before ${minuteText(validFrom)}.`, fix: RENEW };
}

/** Authorities recommend renewal when a third of the lifetime is left. A timely renewal is complete by then. */
function whyShort({ certificate: { validFrom, validTo } }: TlsFacts, now: Date): Fault | undefined {
  const lifetimeMs = validTo.getTime() - validFrom.getTime();
  const leftMs = validTo.getTime() - now.getTime();
  if (leftMs >= Math.min(lifetimeMs * NOTICE_SHARE, LONGEST_NOTICE_MS)) return undefined;
  return { text: `Its certificate expires at ${minuteText(validTo)} and has not been renewed.`, fix: RENEW };
}
