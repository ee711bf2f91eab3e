import { X509Certificate } from "node:crypto";
import { minuteText } from "../../shared/minute-text.ts";
import type { Fix, Judgement } from "../check-result.ts";
import type { TlsFacts } from "../mail-host-probe/mail-host-probe.ts";
import type { CertificateDemand } from "./certificate-demand.ts";
import { judgeSights, NOTHING_WRONG, worstOf } from "./judge-sights.ts";
import { withoutTls } from "./judge-starttls.ts";
import type { Sight } from "./sight.ts";

export interface CertificateSubject {
  readonly sights: readonly Sight[];
  readonly demandOf: (host: string, tls: TlsFacts) => CertificateDemand;
  readonly now: Date;
}

/** What is wrong with a certificate, and how it is mended. */
interface Fault {
  readonly text: string;
  readonly fix: Fix;
}

const DAY_MS = 86_400_000;
const LONGEST_NOTICE_MS = 14 * DAY_MS;
/** Of the lifetime: certificates of six days are renewed, too. */
const NOTICE_SHARE = 1 / 3;

/** `transport.cert_trust`: whether a public authority has issued it, or one that TLSA records name. */
export function judgeTrust(subject: CertificateSubject): Judgement {
  const judged = judgeEach(subject, (tls, demand) =>
    demand.vouchedBy === undefined ? whyUntrusted(tls) : undefined,
  );
  return worstOf(judged, "The certificates of all mail servers are trusted");
}

/** `transport.cert_name`: alternative names alone count (RFC 9525 section 6.3). */
export function judgeName(subject: CertificateSubject): Judgement {
  const judged = judgeEach(subject, (tls, demand) =>
    demand.vouchedBy === undefined ? whyNotNamed(tls, demand.names) : undefined,
  );
  return worstOf(judged, "The certificates of all mail servers have the servers' names");
}

/** `transport.cert_expiry`. */
export function judgeExpiry(subject: CertificateSubject): Judgement {
  const { now } = subject;
  const judged = judgeEach(
    subject,
    (tls, demand) => (demand.vouchedBy === "key" ? undefined : whyOutOfDate(tls, now)),
    (tls) => whyShort(tls, now),
  );
  return worstOf(judged, "The certificates of all mail servers last for a while");
}

/**
 * A fault costs mail only where senders are told to look at the certificate; others encrypt all the same.
 * @param noticeOf what is not wrong yet: nobody refuses it
 */
function judgeEach(
  { sights, demandOf }: CertificateSubject,
  faultOf: (tls: TlsFacts, demand: CertificateDemand) => Fault | undefined,
  noticeOf: (tls: TlsFacts) => Fault | undefined = () => undefined,
) {
  return judgeSights(sights, (startTls, { host }) => {
    if (startTls.kind !== "works") return withoutTls(startTls);
    const { tls } = startTls;
    const demand = demandOf(host, tls);
    const fault = faultOf(tls, demand);
    if (fault) return weighed(fault, demand);
    if (demand.vouchedBy === "key")
      return {
        status: "pass",
        observed: "A TLSA record vouches for its key, whatever else its certificate says.",
      };
    const notice = noticeOf(tls);
    return notice ? { status: "warn", observed: notice.text, fix: notice.fix } : NOTHING_WRONG;
  });
}

function weighed({ text, fix }: Fault, { demandedBy, unknown }: CertificateDemand): Judgement {
  if (demandedBy !== undefined)
    return {
      status: "fail",
      observed: `${text} Senders that heed ${demandedBy} keep mail back from it.`,
      fix,
    };
  if (unknown !== undefined)
    return { status: "error", observed: `${text} Whether that costs mail is not known: ${unknown}.` };
  return { status: "warn", observed: text, fix };
}

const REASONS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "Its certificate was issued by nobody but itself.",
  SELF_SIGNED_CERT_IN_CHAIN: "Its certificate comes from an authority that is not a public one.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "It sends its certificate alone, and what leads from there to a public authority is missing.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "Its certificate comes from an authority that is not a public one, or a certificate in between is missing.",
  CERT_HAS_EXPIRED: "A certificate between its own and the public authority has expired.",
  CERT_NOT_YET_VALID: "A certificate between its own and the public authority is not valid yet.",
};

function whyUntrusted({ untrusted }: TlsFacts): Fault | undefined {
  if (untrusted === undefined) return undefined;
  const text = REASONS[untrusted] ?? `Its certificate leads to no public authority: ${untrusted}.`;
  return {
    text,
    fix: { text: "Have a public authority issue the certificate, and let the server send the whole chain." },
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
    text: `Its certificate does not name ${wanted}. ${other}.`,
    fix: { text: `Have a certificate issued that has ${names[0]} among its alternative names.` },
  };
}

const RENEW: Fix = {
  text: "Renew the certificate, load it into the mail server, and let that happen by itself.",
};

function whyOutOfDate({ certificate: { validFrom, validTo } }: TlsFacts, now: Date): Fault | undefined {
  if (now > validTo) return { text: `Its certificate expired at ${minuteText(validTo)}.`, fix: RENEW };
  if (now >= validFrom) return undefined;
  return { text: `Its certificate is not valid before ${minuteText(validFrom)}.`, fix: RENEW };
}

/** Authorities propose to renew when a third is left: whoever does so in time has done it by then. */
function whyShort({ certificate: { validFrom, validTo } }: TlsFacts, now: Date): Fault | undefined {
  const lifetimeMs = validTo.getTime() - validFrom.getTime();
  const leftMs = validTo.getTime() - now.getTime();
  if (leftMs >= Math.min(lifetimeMs * NOTICE_SHARE, LONGEST_NOTICE_MS)) return undefined;
  return { text: `Its certificate expires at ${minuteText(validTo)}, and has not been renewed.`, fix: RENEW };
}
