import { type TrialResult, trialName } from "../../api/rules.ts";
import { Answer } from "../../parts/answer.tsx";
import { t } from "../../texts/texts.ts";
import { OtherRules, TriedAlerts, TriedNotices } from "./past-tables.tsx";

interface PastResultProps {
  readonly name: string;
  readonly result: TrialResult;
  /** Whether the rule was changed after the test. */
  readonly isOutdated: boolean;
}

/** The results of a rule for past alerts. */
export function PastResult({ name, result, isOutdated }: PastResultProps) {
  const { tested, rules, notices, all_tested: isAll } = result;
  const own = rules.find(({ rule }) => rule === trialName(name));
  if (tested === 0)
    return (
      <Answer tone="info" role="alert">
        <p>{t.trials.noneTested}</p>
      </Answer>
    );
  return (
    <section className="stack" aria-label={t.trials.pastResult}>
      <Answer tone={own && own.matched > 0 ? "ok" : "info"} role="alert">
        <p>
          <b>{t.trials.matched(own?.matched ?? 0, tested)}</b>
        </p>
        {own && <p>{comparedText(own)}</p>}
        {own && own.matched > 0 && <p>{t.trials.estimate(own.estimate)}</p>}
        {own?.taken_by.map(({ rule, alerts }) => (
          <p key={rule}>{t.trials.takenBy(rule, alerts)}</p>
        ))}
        {!isAll && <p>{t.trials.moreAlerts}</p>}
        {!result.all_notices_counted && <p>{t.trials.moreNotices}</p>}
        {isOutdated && <p>{t.trials.outdated}</p>}
      </Answer>
      {notices.length > 0 && <TriedNotices notices={notices} count={own?.estimate} />}
      <TriedAlerts result={result} />
      <OtherRules rules={rules.filter((one) => one !== own)} />
    </section>
  );
}

/** The difference between the present matches of a rule and those at the arrival of the alerts. */
function comparedText({
  newly_matched: more,
  no_longer_matched: fewer,
}: TrialResult["rules"][number]): string {
  const texts = [...(more > 0 ? [t.trials.more(more)] : []), ...(fewer > 0 ? [t.trials.fewer(fewer)] : [])];
  return texts.length > 0 ? texts.join(" ") : t.trials.same;
}
