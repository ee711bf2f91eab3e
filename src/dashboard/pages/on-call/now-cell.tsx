import type { UseQueryResult } from "@tanstack/react-query";
import type { OnCall } from "../../api/oncalls.ts";
import { t } from "../../texts/texts.ts";
import { personName } from "./people.ts";
import { zoneTexts } from "./zone-texts.ts";

/** The states of all schedules. */
export type OnCallStates = UseQueryResult<{ readonly rows: readonly OnCall[] }>;

interface NowCellProps {
  /** Name of the schedule. */
  readonly name: string;
  readonly states: OnCallStates;
  readonly which: "now" | "next";
}

/** The person on call now, or the next one, in the list of schedules. */
export function NowCell({ name, states: { data, error }, which }: NowCellProps) {
  if (!data) return <span className="muted">{error ? t.onCall.unknownNow : t.common.loading}</span>;
  const state = data.rows.find((one) => one.name === name);
  if (!state?.now) return <span className="fault">{t.onCall.notEvaluated}</span>;
  const shown = state[which];
  if (!shown) return <span className="muted">{t.onCall.noChange}</span>;
  const texts = zoneTexts(state.time_zone);
  const detail = which === "next" ? t.onCall.from(texts.moment(shown.from)) : undefined;
  return (
    <>
      <div className={shown.person ? undefined : "fault"}>{personName(shown.person)}</div>
      <div className="muted">
        {detail ?? (shown.until ? t.onCall.until(texts.moment(shown.until)) : t.onCall.noChange)}
      </div>
    </>
  );
}
