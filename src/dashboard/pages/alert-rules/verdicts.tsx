import type { RuleTestResult } from "../../api/rules.ts";
import { Answer } from "../../parts/answer.tsx";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Table } from "../../parts/table.tsx";
import { t } from "../../texts/texts.ts";
import { conditionText } from "./condition-values.ts";

const tones: Readonly<Record<string, Tone>> = {
  holds: "ok",
  fails: "bad",
  missing: "warn",
  mismatch: "warn",
};

interface RuleVerdictProps {
  /** The result of one rule alone. */
  readonly result: RuleTestResult;
  readonly isUnsaved: boolean;
}

/** The result of one rule for an alert, and its conditions. */
export function RuleVerdict({ result, isUnsaved }: RuleVerdictProps) {
  const [rule] = result.rules;
  if (!rule) return null;
  const title = isUnsaved ? t.rules.unsavedRule : t.rules.storedRule;
  const applies = rule.reason === "notifies" || rule.reason === "drops";
  return (
    <section className="stack" aria-label={title}>
      <Answer tone={applies ? "ok" : "info"} role="alert">
        <p>
          <b>{title}:</b> {t.rules.reasons[rule.reason] ?? rule.reason}
        </p>
      </Answer>
      {rule.conditions.length > 0 && (
        <div className="card">
          <Table
            label={t.rules.conditions}
            columns={[
              { heading: t.rules.conditions, cell: conditionText, className: "main mono" },
              {
                heading: t.rules.verdict,
                cell: ({ verdict }) => (
                  <StateBadge tone={tones[verdict] ?? "idle"}>
                    {t.rules.verdicts[verdict] ?? verdict}
                  </StateBadge>
                ),
              },
            ]}
            rows={rule.conditions}
            rowKey={(condition) => JSON.stringify(condition)}
          />
        </div>
      )}
    </section>
  );
}

/** The result of all stored rules for an alert. */
export function SetVerdict({ result }: { readonly result: RuleTestResult }) {
  const { notifying, dropped_by: droppedBy, muted_by: mutedBy, shadowed } = result;
  return (
    <Answer tone={notifying.length > 0 ? "ok" : "info"}>
      <p>
        <b>{t.rules.allRules}:</b> {droppedBy ? t.rules.droppedBy(droppedBy) : t.rules.notifiedBy(notifying)}
      </p>
      {mutedBy && <p>{t.rules.mutedBy[mutedBy] ?? mutedBy}</p>}
      {shadowed.map(({ rule, by }) => (
        <p key={rule}>{t.rules.shadowedRule(rule, by)}</p>
      ))}
    </Answer>
  );
}
