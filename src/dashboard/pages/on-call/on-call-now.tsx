import { useQuery } from "@tanstack/react-query";
import { onCallOfQuery, type Schedule } from "../../api/oncalls.ts";
import { Answer } from "../../parts/answer.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { personName } from "./people.ts";
import { zoneTexts } from "./zone-texts.ts";

/** The person on call now, and the next one. */
export function OnCallNow({ schedule }: { readonly schedule: Schedule }) {
  const { name, fallback_recipients: fallback } = schedule.settings;
  const query = useQuery(onCallOfQuery(name));
  return (
    <StateView query={query}>
      {(state) => {
        if (!state?.now)
          return (
            <Answer tone="bad">
              <p>
                <b>{t.onCall.notEvaluatedIs}</b> {t.onCall.fallbackIs(fallback.join(", "))}
              </p>
            </Answer>
          );
        const { now, next, time_zone: zone } = state;
        const texts = zoneTexts(zone);
        const until = now.until && texts.moment(now.until);
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
