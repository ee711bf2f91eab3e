import { useQueries, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { nextShiftsQuery, type Person, type Schedule } from "../../api/oncalls.ts";
import { sessionQuery } from "../../api/session.ts";
import { Row, RowCard } from "../../parts/row-list.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { StateOfAll } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { dutiesOf } from "./next-shifts.ts";
import { zoneTexts } from "./zone-texts.ts";

const MOST = 5;

/** The next shifts of the user in all schedules. */
export function OwnShifts({ schedules }: { readonly schedules: readonly Schedule[] }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const queries = useQueries({
    queries: schedules.map(({ settings: { name } }) => nextShiftsQuery(name)),
  });
  const isOwn = (person: Person | undefined) =>
    person !== undefined &&
    (person.user_id === session.user_id || person.address.toLowerCase() === session.email.toLowerCase());
  const own = schedules
    .flatMap(({ settings: { name, layers } }, index) =>
      dutiesOf(queries[index]?.data?.rows ?? [])
        .filter(({ person }) => isOwn(person))
        .map((duty) => ({ ...duty, name, zone: layers[0]?.time_zone ?? "UTC" })),
    )
    .toSorted((one, other) => (one.from < other.from ? -1 : 1));
  const now = new Date().toISOString();
  const all = queries.map((query) => ({ ...query, isEnabled: true }));
  return (
    <RowCard title={t.onCall.own}>
      <StateOfAll queries={all} />
      {own.length === 0 && queries.every(({ data }) => data !== undefined) && (
        <p className="body muted tight">{t.onCall.noOwn}</p>
      )}
      {own.length > 0 && (
        <ul className="entries">
          {own.slice(0, MOST).map(({ name, from, until, zone }) => (
            <Row
              key={`${name} ${from}`}
              title={
                <Link to="/on-call/$name" params={{ name }}>
                  {name}
                </Link>
              }
              detail={t.onCall.timeIn(
                from <= now
                  ? t.onCall.until(zoneTexts(zone).moment(until))
                  : zoneTexts(zone).range(from, until),
                zone,
              )}
            >
              {from <= now && <StateBadge tone="ok">{t.onCall.now}</StateBadge>}
            </Row>
          ))}
        </ul>
      )}
    </RowCard>
  );
}
