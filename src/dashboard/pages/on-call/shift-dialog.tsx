import { Button, Group, Stack } from "@mantine/core";
import type { Shift } from "../../api/oncalls.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Fact } from "../../parts/fact.tsx";
import { spanText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { personName } from "./people.ts";
import { zoneTexts } from "./zone-texts.ts";

interface ShiftDialogProps {
  readonly shift: Shift;
  readonly zone: string;
  readonly mayChange: boolean;
  readonly onOverride: () => void;
  readonly onSwap: () => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

/** A shift: its person, times and reason, and the changes that are possible. */
export function ShiftDialog(props: ShiftDialogProps) {
  const { shift, zone, mayChange, onOverride, onSwap, onRemove, onClose } = props;
  const { person, from, until, layer, override_id: override } = shift;
  const texts = zoneTexts(zone);
  const isPast = Date.parse(until) <= Date.now();
  const reason = override ? t.onCall.byOverride : layer ? t.onCall.byLayer(layer) : t.onCall.byFallback;
  return (
    <Dialog title={personName(person)} onClose={onClose}>
      <Stack>
        <dl className="facts">
          <Fact name={t.onCall.overrideFrom}>{texts.moment(from)}</Fact>
          <Fact name={t.onCall.overrideUntil}>{texts.moment(until)}</Fact>
          <Fact name={t.onCall.span}>{spanText(Date.parse(until) - Date.parse(from))}</Fact>
          <Fact name={t.onCall.reason}>{reason}</Fact>
        </dl>
        <p className="faint tight">{t.onCall.inZone(zone)}</p>
        {mayChange && isPast && <p className="muted tight">{t.onCall.isPast}</p>}
        {mayChange && !isPast && (
          <Group>
            {person?.address && (
              <Button variant="default" onClick={onSwap}>
                {t.onCall.swapThis}
              </Button>
            )}
            <Button variant="default" onClick={onOverride}>
              {t.onCall.overrideThis}
            </Button>
            {override !== "" && (
              <Button variant="default" onClick={onRemove}>
                {t.onCall.removeOverride}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </Dialog>
  );
}
