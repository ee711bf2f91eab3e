import type { Fix, Judgement } from "../check-result.ts";
import type { StartTls } from "../mail-host-probe/mail-host-probe.ts";
import { judgeSights, NOTHING_WRONG, worstOf } from "./judge-sights.ts";
import type { Sight } from "./sight.ts";

const CURRENT = ["TLSv1.2", "TLSv1.3"];
const OFFER: Fix = {
  text: "Give the mail server a certificate and turn STARTTLS on: without it mail comes in plain text.",
};

/** `transport.starttls`. */
export function judgeStartTls(sights: readonly Sight[]): Judgement {
  return worstOf(judgeSights(sights, judgeOffer), "STARTTLS works with all mail servers");
}

function judgeOffer(startTls: StartTls): Judgement {
  switch (startTls.kind) {
    case "works":
      return NOTHING_WRONG;
    case "not_offered":
      if (!startTls.isMasked) return { status: "fail", observed: "It does not offer STARTTLS.", fix: OFFER };
      return {
        status: "fail",
        observed:
          "Its offer of STARTTLS does not arrive: there are X in its place, as some firewalls put them.",
        fix: { text: "Turn the inspection of SMTP off in the firewall before the mail server." },
      };
    case "refused":
      return {
        status: "fail",
        observed: `It offers STARTTLS and then refuses it: ${startTls.reason}.`,
        fix: { text: "Look into the mail server's log: most often it cannot read its certificate or key." },
      };
    case "failed":
      return {
        status: "fail",
        observed: `It offers STARTTLS, and no sender can use it: ${startTls.reason}.`,
        fix: { text: "Look into the mail server's log for the handshake, its versions and its certificate." },
      };
    case "unknown":
      return { status: "error", observed: `It is not known whether STARTTLS works: ${startTls.reason}.` };
  }
}

/** `transport.tls_version`. */
export function judgeTlsVersion(sights: readonly Sight[]): Judgement {
  return worstOf(judgeSights(sights, judgeVersion), "All mail servers speak TLS 1.2 or later");
}

function judgeVersion(startTls: StartTls): Judgement {
  if (startTls.kind !== "works") return withoutTls(startTls);
  const { protocol } = startTls.tls;
  if (CURRENT.includes(protocol)) return NOTHING_WRONG;
  return {
    status: "fail",
    observed: `It speaks no version of TLS later than ${protocol.replace(/^TLSv1$/, "TLSv1.0").replace("v", " ")}.`,
    fix: {
      text: "Turn on TLS 1.2 and TLS 1.3. Senders refuse earlier versions, or give mail in plain text.",
    },
  };
}

/** What can be said of the TLS of a server that has none. */
export function withoutTls({ kind }: StartTls): Judgement {
  if (kind === "unknown") return { status: "error", observed: "The handshake was not completed." };
  return { status: "not_tested", observed: "STARTTLS does not work, and so there is nothing to look at." };
}
