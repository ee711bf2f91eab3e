import { numberText } from "../texts/number-text.ts";
import { LinePlot } from "./line-plot.tsx";
import { timeText } from "./time.tsx";

const HOUR_MS = 3_600_000;
const stepMs: Readonly<Record<string, number>> = { hour: HOUR_MS, day: 24 * HOUR_MS };

/** A span of time, as in the address of a list. */
export interface Span {
  readonly from: string;
  readonly until: string;
}

/** Counts of equal spans of time, as the API answers them. */
interface Counted<Field extends string> {
  /** `hour` or `day`. */
  readonly step: string;
  readonly points: readonly { readonly at: string; readonly counts: Readonly<Record<Field, number>> }[];
  /** Start of the counting, if it is later than the first point. */
  readonly measured_since: string | null;
}

interface CountsPlotProps<Field extends string> {
  /** Missing: the plot is empty. */
  readonly counted?: Counted<Field>;
  readonly lines: readonly { readonly name: string; readonly field: Field; readonly color: string }[];
  readonly words: {
    readonly title: string;
    readonly measuredSince: (time: string) => string;
    readonly openPoint: (label: string) => string;
  };
  /** Shows what was counted in a span of time. */
  readonly onOpen: (span: Span) => void;
}

const nothing = { step: "hour", points: [], measured_since: null };

/** Counts over time, a line for each kind. */
export function CountsPlot<Field extends string>({ counted, lines, words, onOpen }: CountsPlotProps<Field>) {
  const { step, points, measured_since: since } = counted ?? nothing;
  const endOf = (at: string) => Date.parse(at) + (stepMs[step] ?? 0);
  const now = new Date();
  return (
    <LinePlot
      title={words.title}
      note={since ? words.measuredSince(timeText(since, now)) : undefined}
      // Without seconds.
      labels={points.map(({ at }) =>
        step === "day" ? timeText(at, now) : timeText(at, now, true).slice(0, -3),
      )}
      lines={lines.map(({ name, field, color }) => ({
        name,
        color,
        // A point that ended before the counting began is no zero.
        values: points.map(({ at, counts }) =>
          since && endOf(at) <= Date.parse(since) ? null : counts[field],
        ),
      }))}
      format={numberText}
      onOpen={(index) => {
        const from = points[index]?.at;
        if (from !== undefined) onOpen({ from, until: new Date(endOf(from)).toISOString() });
      }}
      openLabel={words.openPoint}
    />
  );
}
