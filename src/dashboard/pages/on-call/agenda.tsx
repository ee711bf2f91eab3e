import { Button } from "@mantine/core";
import type { Shift } from "../../api/oncalls.ts";
import { Row } from "../../parts/row-list.tsx";
import { t } from "../../texts/texts.ts";
import { type OpenShift, shiftText } from "./calendar-bar.tsx";
import { type People, personName } from "./people.ts";
import { zoneTexts } from "./zone-texts.ts";

interface AgendaProps {
  readonly shifts: readonly Shift[];
  readonly zone: string;
  readonly people: People;
  readonly open?: OpenShift | undefined;
}

/** The shifts of a calendar as a list, for narrow screens and short shifts. */
export function Agenda({ shifts, zone, people, open }: AgendaProps) {
  const texts = zoneTexts(zone);
  return (
    <ul className="entries" aria-label={t.onCall.shifts}>
      {shifts.map((shift) => {
        const { person, from, until, override_id: override } = shift;
        return (
          <Row
            key={from}
            title={
              <span className="row">
                <span
                  className="person-mark"
                  data-person={people.colorOf(person)}
                  data-nobody={person === undefined}
                />
                {personName(person)}
                {override !== "" && <span className="chip small">{t.onCall.override}</span>}
              </span>
            }
            detail={texts.range(from, until)}
          >
            {open && (
              <Button
                variant="default"
                size="xs"
                aria-label={t.onCall.openShift(shiftText(shift, zone))}
                aria-pressed={open.chosen(shift)}
                onClick={() => open.onOpen(shift)}
              >
                {t.onCall.open}
              </Button>
            )}
          </Row>
        );
      })}
    </ul>
  );
}
