import { phrase } from "../../shared/phrase.ts";
import { type Evaluation, fixFields, observedFields } from "../check-result.ts";
import type { StartTls } from "../mail-host-probe/mail-host-probe.ts";
import { evaluateSights, NOTHING_WRONG, worstOf } from "./evaluate-sights.ts";
import type { Sight } from "./sight.ts";

const CURRENT = ["TLSv1.2", "TLSv1.3"];

/** Judges `transport.starttls`. */
export function evaluateStartTls(sights: readonly Sight[]): Evaluation {
  return worstOf(evaluateSights(sights, evaluateOffer), phrase("starttls.all_work"));
}

function evaluateOffer(startTls: StartTls): Evaluation {
  switch (startTls.kind) {
    case "works":
      return NOTHING_WRONG;
    case "not_offered":
      if (!startTls.isMasked)
        return {
          status: "fail",
          ...observedFields(phrase("starttls.not_offered")),
          fix: fixFields(phrase("starttls.offer")),
        };
      return {
        status: "fail",
        ...observedFields(phrase("starttls.masked")),
        fix: fixFields(phrase("starttls.unmask")),
      };
    case "refused":
      return {
        status: "fail",
        ...observedFields(phrase("starttls.refused", { reason: startTls.reason })),
        fix: fixFields(phrase("starttls.check_key")),
      };
    case "failed":
      return {
        status: "fail",
        ...observedFields(phrase("starttls.failed", { reason: startTls.reason })),
        fix: fixFields(phrase("starttls.check_handshake")),
      };
    case "unknown":
      return {
        status: "error",
        ...observedFields(phrase("starttls.unknown", { reason: startTls.reason })),
      };
  }
}

/** Judges `transport.tls_version`. */
export function evaluateTlsVersion(sights: readonly Sight[]): Evaluation {
  return worstOf(evaluateSights(sights, evaluateVersion), phrase("starttls.all_current"));
}

function evaluateVersion(startTls: StartTls): Evaluation {
  if (startTls.kind !== "works") return withoutTls(startTls);
  const { protocol } = startTls.tls;
  if (CURRENT.includes(protocol)) return NOTHING_WRONG;
  const version = protocol.replace(/^TLSv1$/, "TLSv1.0").replace("v", " ");
  return {
    status: "fail",
    ...observedFields(phrase("starttls.old_version", { version })),
    fix: fixFields(phrase("starttls.enable_current")),
  };
}

/** Judgement of the TLS properties of a server without TLS. */
export function withoutTls({ kind }: StartTls): Evaluation {
  if (kind === "unknown") return { status: "error", ...observedFields(phrase("starttls.not_completed")) };
  return { status: "not_tested", ...observedFields(phrase("starttls.nothing_to_check")) };
}
