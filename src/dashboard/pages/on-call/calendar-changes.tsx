import { Button } from "@mantine/core";
import { useState } from "react";
import type { Schedule, Shift } from "../../api/oncalls.ts";
import { Answer } from "../../parts/answer.tsx";
import { clockOf } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { type OpenShift, shiftText } from "./calendar-bar.tsx";
import type { Day } from "./calendar-days.ts";
import { OverrideForm, type OverrideTimes } from "./override-form.tsx";
import { personKey } from "./people.ts";
import { RemoveOverride } from "./remove-override.tsx";
import { ShiftDialog } from "./shift-dialog.tsx";
import { SwapForm } from "./swap-form.tsx";

type Asked =
  | { readonly kind: "shift" | "remove"; readonly shift: Shift }
  | { readonly kind: "override"; readonly times: OverrideTimes }
  | { readonly kind: "swap"; readonly first: Shift; readonly second: Shift };

const DAY_MS = 86_400_000;

/** The changes that a calendar offers: overrides, and swaps of two shifts. */
export function useCalendarChanges(schedule: Schedule) {
  const { name, layers } = schedule.settings;
  const zone = layers[0]?.time_zone ?? "UTC";
  const mayChange = useMay()("alerts.write");
  const [asked, setAsked] = useState<Asked>();
  /** The first shift of a swap, until the second one is chosen. */
  const [first, setFirst] = useState<Shift>();
  const [isRefused, setRefused] = useState(false);
  const close = () => setAsked(undefined);

  function open(shift: Shift): void {
    if (!first) {
      setAsked({ kind: "shift", shift });
      return;
    }
    setRefused(!isSwappable(first, shift));
    if (isSwappable(first, shift)) setAsked({ kind: "swap", first, second: shift });
  }
  function beginSwap(shift: Shift | undefined): void {
    setFirst(shift);
    setRefused(false);
    close();
  }

  const calendar: OpenShift = {
    onOpen: open,
    chosen: (shift) => first?.from === shift.from && first.until === shift.until,
  };
  return {
    open: calendar,
    onDay: mayChange ? (day: Day) => setAsked({ kind: "override", times: timesOf(day, zone) }) : undefined,
    add: mayChange && (
      <Button size="xs" onClick={() => setAsked({ kind: "override", times: nextDay() })}>
        {t.onCall.addOverride}
      </Button>
    ),
    /** Above the calendar while the second shift of a swap is missing. */
    notice: first && (
      <Answer tone={isRefused ? "warn" : "info"} role="alert">
        <p>
          <b>{isRefused ? t.onCall.notSwappable : t.onCall.chooseOther}</b>
        </p>
        <p className="muted">{t.onCall.swapFirst(shiftText(first, zone))}</p>
        <Button className="gap-above" variant="default" size="xs" onClick={() => beginSwap(undefined)}>
          {t.common.cancel}
        </Button>
      </Answer>
    ),
    dialog: (
      <>
        {asked?.kind === "shift" && (
          <ShiftDialog
            shift={asked.shift}
            zone={zone}
            mayChange={mayChange}
            onSwap={() => beginSwap(asked.shift)}
            onOverride={() => setAsked({ kind: "override", times: fromNow(asked.shift) })}
            onRemove={() => setAsked({ kind: "remove", shift: asked.shift })}
            onClose={close}
          />
        )}
        {asked?.kind === "override" && (
          <OverrideForm schedule={schedule} times={asked.times} onClose={close} />
        )}
        {asked?.kind === "remove" && (
          <RemoveOverride
            name={name}
            overrideId={asked.shift.override_id}
            hasBegun={Date.parse(asked.shift.from) <= Date.now()}
            onClose={close}
          />
        )}
        {asked?.kind === "swap" && (
          <SwapForm
            name={name}
            zone={zone}
            first={asked.first}
            second={asked.second}
            onSwapped={() => beginSwap(undefined)}
            onClose={close}
          />
        )}
      </>
    ),
  };
}

/** Whether two shifts can be swapped: both end in the future, and their people differ. */
function isSwappable({ person: one, until: end }: Shift, { person: other, until }: Shift): boolean {
  const now = Date.now();
  const areFuture = Date.parse(end) > now && Date.parse(until) > now;
  return areFuture && !!one?.address && !!other?.address && personKey(one) !== personKey(other);
}

/** A past start means now. */
const fromNow = ({ from, until }: Pick<Shift, "from" | "until">): OverrideTimes => ({
  ...(Date.parse(from) > Date.now() && { from }),
  until,
});

function timesOf(day: Day, zone: string): OverrideTimes {
  const clock = clockOf(zone);
  const [from, until] = [day, day + 1].map((one) => new Date(clock.momentOf(one * DAY_MS)).toISOString());
  return fromNow({ from: from ?? "", until: until ?? "" });
}

/** The next 24 hours, to the minute. */
const nextDay = (): OverrideTimes => ({
  until: new Date(Math.ceil(Date.now() / 60_000) * 60_000 + DAY_MS).toISOString(),
});
