import { useQuery } from "@tanstack/react-query";
import { nextShiftsQuery, type Schedule } from "../../api/oncalls.ts";
import { Answer } from "../../parts/answer.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { dutiesOf } from "./next-shifts.ts";
import { personName } from "./people.ts";
import { zoneTexts } from "./zone-texts.ts";

/** The person on call now, and the next one. */
export function OnCallNow({ schedule }: { readonly schedule: Schedule }) {
  const { name, layers, fallback_recipients: fallback } = schedule.settings;
  const query = useQuery(nextShiftsQuery(name));
  const zone = layers[0]?.time_zone ?? "UTC";
  const texts = zoneTexts(zone);
  return (
    <StateView query={query}>
      {({ rows, until: end }) => {
        const [now, next] = dutiesOf(rows);
        if (!now) return null;
        const until = now.until < end ? texts.moment(now.until) : undefined;
        return (
          <Answer tone={now.person ? "ok" : "bad"}>
            <p>
              <b>
                {now.person ? t.onCall.isOnCall(personName(now.person), until) : t.onCall.nobodyIs(until)}
              </b>
              {!now.person && ` ${t.onCall.fallbackIs(fallback.join(", "))}`}
            </p>
            {next && (
              <p className="muted">{t.onCall.nextIs(personName(next.person), texts.moment(next.from))}</p>
            )}
          </Answer>
        );
      }}
    </StateView>
  );
}
