import { type CheckId, catalogue } from "../../catalogue.ts";
import type { CheckResult } from "../../check-result.ts";
import { outcomesOf } from "../../score/outcomes.ts";
import { SCORE_MODEL } from "../../score/score.ts";
import { severityOf } from "../../severity.ts";
import type { ReportInputs } from "../report-inputs.ts";

const DAY_MS = 86_400_000;
const DAYS = 30;
/** Score of each week of the example. */
const TREND = [71, 74, 74, 83, 86];

/** Results of the example that do not pass. */
const BUT: Readonly<Partial<Record<CheckId, Omit<CheckResult, "id" | "expected" | "evidence">>>> = {
  "auth.dmarc.policy": {
    status: "warn",
    observed: "The policy is none: receivers accept mail that fails DMARC.",
    fix: {
      text: "Publish this record in place of the present one.",
      record: { name: "_dmarc.example.com", type: "TXT", value: "v=DMARC1; p=quarantine" },
    },
  },
  "transport.tlsrpt": {
    status: "fail",
    observed: "There is no record.",
    fix: {
      text: "Publish this record to receive reports.",
      record: {
        name: "_smtp._tls.example.com",
        type: "TXT",
        value: "v=TLSRPTv1; rua=mailto:tls@example.com",
      },
    },
  },
};

/** Inputs of an example report about one domain, which shows a label. No stored data is in it. */
export function exampleInputs(now: Date, branding: NonNullable<ReportInputs["branding"]>): ReportInputs {
  const from = new Date(now.getTime() - DAYS * DAY_MS);
  const results = (Object.keys(catalogue) as CheckId[]).map((id) => ({
    id,
    expected: "The state that the specification requires.",
    status: "pass" as const,
    observed: "The check passes.",
    ...BUT[id],
  }));
  const assessed = { role: "sending", results, lastResults: {}, blacklistWeights: {} } as const;
  const findings = outcomesOf(assessed).flatMap((outcome) => {
    const severity = severityOf(outcome);
    return severity ? [{ checkId: outcome.id, severity, openedAt: from }] : [];
  });
  return {
    id: "example",
    generatedAt: now,
    scope: { type: "domain", id: "example", name: "example.com" },
    period: { from, to: now },
    timezone: "UTC",
    locale: "en",
    branding,
    sections: ["history", "findings", "fixes"],
    domains: [
      {
        ...assessed,
        id: "example",
        name: "example.com",
        isPaused: false,
        checkedAt: now,
        history: TREND.map((score, week) => ({
          at: new Date(from.getTime() + week * 7 * DAY_MS),
          score,
          coverage: 1,
          scoreModel: SCORE_MODEL,
        })),
        findings,
        statusChanges: [],
      },
    ],
    lists: [],
    standings: [],
    listingEvents: [],
    sending: [],
    dmarc: [],
    method: { resolver: "no resolver", listsVersion: "example" },
  };
}
