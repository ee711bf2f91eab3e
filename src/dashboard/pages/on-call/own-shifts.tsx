import { Link } from "@tanstack/react-router";
import { Row, RowCard } from "../../parts/row-list.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import type { OnCallStates } from "./now-cell.tsx";
import { zoneTexts } from "./zone-texts.ts";

const MOST = 5;

/** The next times on call of the user in all schedules. */
export function OwnShifts({ states }: { readonly states: OnCallStates }) {
  const now = new Date().toISOString();
  return (
    <RowCard title={t.onCall.own}>
      <StateView
        query={states}
        empty={{
          when: ({ rows }) => rows.every(({ own }) => own.length === 0),
          view: <p className="body muted tight">{t.onCall.noOwn}</p>,
        }}
      >
        {({ rows }) => (
          <ul className="entries">
            {rows
              .flatMap(({ name, time_zone, own }) => own.map((duty) => ({ ...duty, name, zone: time_zone })))
              .toSorted((one, other) => (one.from < other.from ? -1 : 1))
              .slice(0, MOST)
              .map(({ name, from, until, zone }) => (
                <Row
                  key={`${name} ${from}`}
                  title={
                    <Link to="/on-call/$name" params={{ name }}>
                      {name}
                    </Link>
                  }
                  detail={t.onCall.timeIn(timeText({ from, until, isNow: from <= now }, zone), zone)}
                >
                  {from <= now && <StateBadge tone="ok">{t.onCall.now}</StateBadge>}
                </Row>
              ))}
          </ul>
        )}
      </StateView>
    </RowCard>
  );
}

interface Time {
  readonly from: string;
  readonly until: string | undefined;
  readonly isNow: boolean;
}

function timeText({ from, until, isNow }: Time, zone: string): string {
  const texts = zoneTexts(zone);
  if (until === undefined) return isNow ? t.onCall.noChange : t.onCall.from(texts.moment(from));
  return isNow ? t.onCall.until(texts.moment(until)) : texts.range(from, until);
}
