import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import {
  type HistoryStep,
  type InsightScope,
  type ScoreHistory,
  scoreHistoryQuery,
} from "../../api/insights.ts";
import { LinePlot } from "../../parts/line-plot.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { dateLocale } from "../../texts/language.ts";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { dayText } from "../dmarc/day-text.ts";

/** Days of the range for each length of its steps. */
const ranges = { day: 29, week: 181, month: 364 } as const satisfies Record<HistoryStep, number>;

/** Months of a score history are months in UTC. */
const monthFormat = new Intl.DateTimeFormat(dateLocale, { month: "short", year: "numeric", timeZone: "UTC" });

/** Score of a workspace, client or domain over 30 days, half a year or a year. A point opens the changes of its step. */
export function ScoreOverTime({ scope }: { readonly scope: InsightScope }) {
  const [step, setStep] = useState<HistoryStep>("day");
  const query = useQuery(scoreHistoryQuery(scope, ranges[step], step));
  const navigate = useNavigate();
  return (
    <section className="stack small-gap" aria-label={t.repairs.history}>
      <div className="row end">
        <SegmentedControl
          size="xs"
          aria-label={t.repairs.step}
          data={Object.entries(t.repairs.steps).map(([value, label]) => ({ value, label }))}
          value={step}
          onChange={(picked) => setStep(picked as HistoryStep)}
        />
      </div>
      <StateView query={query}>
        {({ points, step: shown }) => (
          <LinePlot
            title={t.repairs.history}
            note={noteOf(points)}
            labels={points.map(({ at }) =>
              shown === "month" ? monthFormat.format(new Date(at)) : dayText(at.slice(0, 10)),
            )}
            lines={[
              { name: t.intel.score, color: "var(--accent)", values: points.map(({ score }) => score) },
            ]}
            format={numberText}
            max={100}
            onOpen={(index) => {
              const [from, until] = [points[index]?.at, points[index + 1]?.at];
              void navigate({
                to: "/intel/changes",
                search: { ...scope, ...(from && { from }), ...(until && { until }) },
              });
            }}
            openLabel={t.repairs.openChanges}
          />
        )}
      </StateView>
    </section>
  );
}

function noteOf(points: ScoreHistory["points"]): string | undefined {
  if (points.every(({ score }) => score === null)) return t.repairs.noHistory;
  const changed = points.findLast(({ model_changed: isChanged }) => isChanged);
  return changed && t.repairs.modelChanged(dayText(changed.at.slice(0, 10)));
}
