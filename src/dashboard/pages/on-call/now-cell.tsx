import { useQuery } from "@tanstack/react-query";
import { nextShiftsQuery, type Schedule } from "../../api/oncalls.ts";
import { t } from "../../texts/texts.ts";
import { dutiesOf } from "./next-shifts.ts";
import { personName } from "./people.ts";
import { zoneTexts } from "./zone-texts.ts";

interface NowCellProps {
  readonly schedule: Schedule;
  readonly which: "now" | "next";
}

/** The person on call now, or the next one, in the list of schedules. */
export function NowCell({ schedule: { settings }, which }: NowCellProps) {
  const { data, error } = useQuery(nextShiftsQuery(settings.name));
  if (!data) return <span className="muted">{error ? t.onCall.unknownNow : t.common.loading}</span>;
  const [now, next] = dutiesOf(data.rows);
  const texts = zoneTexts(settings.layers[0]?.time_zone ?? "UTC");
  const shown = which === "now" ? now : next;
  if (!shown) return <span className="muted">{t.onCall.noChange}</span>;
  const hasEnd = shown.until < data.until;
  const detail = which === "next" ? t.onCall.from(texts.moment(shown.from)) : undefined;
  return (
    <>
      <div className={shown.person ? undefined : "fault"}>{personName(shown.person)}</div>
      <div className="muted">
        {detail ?? (hasEnd ? t.onCall.until(texts.moment(shown.until)) : t.onCall.noChange)}
      </div>
    </>
  );
}
