import type { Evaluation, Fix } from "../check-result.ts";
import type { StartTls } from "../mail-host-probe/mail-host-probe.ts";
import { evaluateSights, NOTHING_WRONG, worstOf } from "./evaluate-sights.ts";
import type { Sight } from "./sight.ts";

const CURRENT = ["TLSv1.2", "TLSv1.3"];
const OFFER: Fix = {
  text: "Install a certificate on the mail server and enable STARTTLS. Without it mail arrives in plain text.",
};

/** Judges `transport.starttls`. */
export function evaluateStartTls(sights: readonly Sight[]): Evaluation {
  return worstOf(evaluateSights(sights, evaluateOffer), "STARTTLS works with all mail servers");
}

function evaluateOffer(startTls: StartTls): Evaluation {
  switch (startTls.kind) {
    case "works":
      return NOTHING_WRONG;
    case "not_offered":
      if (!startTls.isMasked) return { status: "fail", observed: "It does not offer STARTTLS.", fix: OFFER };
      return {
        status: "fail",
        observed: "Its STARTTLS offer is replaced with X, as some firewalls do.",
        fix: { text: "Disable the SMTP inspection of the firewall before the mail server." },
      };
    case "refused":
      return {
        status: "fail",
        observed: `It offers STARTTLS but then refuses it: ${startTls.reason}.`,
        fix: {
          text: "Check the log of the mail server. A common cause is an unreadable certificate or key.",
        },
      };
    case "failed":
      return {
        status: "fail",
        observed: `It offers STARTTLS, but senders cannot use it: ${startTls.reason}.`,
        fix: {
          text: "Check the log of the mail server for the handshake, its versions and its certificate.",
        },
      };
    case "unknown":
      return { status: "error", observed: `It is unknown whether STARTTLS works: ${startTls.reason}.` };
  }
}

/** Judges `transport.tls_version`. */
export function evaluateTlsVersion(sights: readonly Sight[]): Evaluation {
  return worstOf(evaluateSights(sights, evaluateVersion), "All mail servers support TLS 1.2 or later");
}

function evaluateVersion(startTls: StartTls): Evaluation {
  if (startTls.kind !== "works") return withoutTls(startTls);
  const { protocol } = startTls.tls;
  if (CURRENT.includes(protocol)) return NOTHING_WRONG;
  return {
    status: "fail",
    observed: `It supports no TLS version later than ${protocol.replace(/^TLSv1$/, "TLSv1.0").replace("v", " ")}.`,
    fix: {
      text: "Enable TLS 1.2 and TLS 1.3. Senders refuse earlier versions, or send mail in plain text.",
    },
  };
}

/** Judgement of the TLS properties of a server without TLS. */
export function withoutTls({ kind }: StartTls): Evaluation {
  if (kind === "unknown") return { status: "error", observed: "The handshake was not completed." };
  return { status: "not_tested", observed: "STARTTLS does not work, so there is nothing to check." };
}
