import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type AlertRule, allRulesQuery } from "../../api/rules.ts";
import { Row, RowCard } from "../../parts/row-list.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";

/** The rules that notify the person on call. Without one, the schedule has no effect. */
export function UsedBy({ name }: { readonly name: string }) {
  const query = useQuery(allRulesQuery);
  const may = useMay();
  return (
    <RowCard title={t.onCall.usedBy}>
      <StateView query={query}>
        {({ rows, isMore }) => {
          const uses = rows.flatMap((rule) => ruleUse(rule, name));
          return (
            <>
              {uses.length === 0 && (
                <div className="notice">
                  <strong>{t.onCall.unused}</strong>
                  <p className="muted">{t.onCall.unusedDetail}</p>
                  {may("alerts.write") && (
                    <Link to="/alert-rules/-/new" className="link">
                      {t.onCall.makeRule}
                    </Link>
                  )}
                </div>
              )}
              {uses.length > 0 && (
                <ul className="entries">
                  {uses.map(({ rule, detail }) => (
                    <Row
                      key={rule}
                      title={
                        <Link to="/alert-rules/$name" params={{ name: rule }} className="link">
                          {rule}
                        </Link>
                      }
                      detail={detail}
                    />
                  ))}
                </ul>
              )}
              {isMore && <p className="body muted tight">{t.onCall.moreRules}</p>}
            </>
          );
        }}
      </StateView>
    </RowCard>
  );
}

/** The use of a schedule by a rule: at once, and in steps of its escalation. */
function ruleUse({ settings: { name: rule, enabled, notify } }: AlertRule, schedule: string) {
  const steps = (notify?.escalation ?? []).flatMap((step, index) =>
    step.on_call_schedules?.includes(schedule) ? index + 1 : [],
  );
  const isFirst = notify?.on_call_schedules?.includes(schedule) === true;
  if (!isFirst && steps.length === 0) return [];
  const parts = [...(isFirst ? [t.onCall.usedAtOnce] : []), ...steps.map(t.onCall.usedInStep)];
  return { rule, detail: [...parts, ...(enabled === false ? [t.onCall.disabledRule] : [])].join(", ") };
}
