import { Button, Popover } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { FormEvent } from "react";
import { t } from "../texts/texts.ts";
import { timeText } from "./time.tsx";

interface TimeRange {
  /** ISO 8601; undefined without a bound. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

interface TimeFilterProps extends TimeRange {
  /** Name of the time. */
  readonly label: string;
  readonly onChange: (range: {
    readonly from: string | undefined;
    readonly until: string | undefined;
  }) => void;
}

const HOUR_MS = 3_600_000;
const spans = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, month: 30 * 24 * HOUR_MS } as const;
type Span = keyof typeof spans;

/** Filter by time. A span begins at a fixed time, so that the address shows the same entries to a colleague. */
export function TimeFilter({ label, from, until, onChange }: TimeFilterProps) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const choose = (range: TimeRange) => {
    close();
    onChange({ from: range.from, until: range.until });
  };
  const since = (span: Span) => choose({ from: new Date(Date.now() - spans[span]).toISOString() });

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    choose({ from: momentOf(given.get("from")), until: momentOf(given.get("until")) });
  }

  return (
    <Popover opened={isOpen} onDismiss={close} position="bottom-start" trapFocus withRoles>
      <Popover.Target>
        <button type="button" className="chip" data-active={Boolean(from || until)} onClick={toggle}>
          {label} <b className="cut">{rangeText({ from, until }, new Date())}</b>
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <div className="stack small-gap">
          {(Object.keys(spans) as Span[]).map((span) => (
            <Button key={span} variant="default" size="xs" onClick={() => since(span)}>
              {t.messages.spans[span]}
            </Button>
          ))}
          <form className="stack small-gap" onSubmit={submit}>
            <label className="field">
              {t.messages.fromTime}
              <input type="datetime-local" name="from" step="1" defaultValue={fieldText(from)} />
            </label>
            <label className="field">
              {t.messages.untilTime}
              <input type="datetime-local" name="until" step="1" defaultValue={fieldText(until)} />
            </label>
            <div className="row">
              <Button type="submit" size="xs">
                {t.messages.apply}
              </Button>
              {(from || until) && (
                <Button variant="subtle" size="xs" onClick={() => choose({})}>
                  {t.common.clear(label)}
                </Button>
              )}
            </div>
          </form>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

function rangeText({ from, until }: TimeRange, now: Date): string {
  const text = (at: string) => timeText(at, now, true);
  if (from && until) return t.messages.timeRange(text(from), text(until));
  if (from) return t.messages.timeSince(text(from));
  return until ? t.messages.timeUntil(text(until)) : t.messages.timeAny;
}

/** A time in the browser's zone, in the format of its field. */
function momentOf(local: FormDataEntryValue | null): string | undefined {
  return typeof local === "string" && local !== "" ? new Date(local).toISOString() : undefined;
}

function fieldText(at: string | undefined): string {
  if (at === undefined) return "";
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return "";
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
