import { PlotCard, plotStep } from "./plot-card.tsx";

interface PlottedLine {
  readonly name: string;
  readonly color: string;
  /** One value for each label; null if nothing was measured. */
  readonly values: readonly (number | null)[];
}

interface LinePlotProps {
  readonly title: string;
  /** Shown beside the title. */
  readonly note?: string | undefined;
  readonly labels: readonly string[];
  readonly lines: readonly PlottedLine[];
  readonly format: (value: number) => string;
  /** Highest value of the scale; missing: that of the lines. */
  readonly max?: number;
  /** Opens the list behind a point. */
  readonly onOpen: (index: number) => void;
  readonly openLabel: (label: string) => string;
}

const HEIGHT = 180;

/** Values over time as lines. */
export function LinePlot({ title, note, labels, lines, format, max, onOpen, openLabel }: LinePlotProps) {
  const all = lines.flatMap(({ values }) => values.filter((value) => value !== null));
  const most = max ?? Math.max(...all, Number.MIN_VALUE);
  const step = plotStep(labels);
  const x = (index: number) => index * step + step / 2;
  const y = (value: number) => HEIGHT - (value / most) * (HEIGHT - 12);
  const pointText = (index: number) =>
    lines.map(({ name, values }) => `${name} ${textOf(values[index], format)}`).join(", ");
  return (
    <PlotCard
      title={title}
      note={note}
      labels={labels}
      series={lines.map(({ name, color, values }) => ({
        name,
        color,
        cells: labels.map((_, index) => textOf(values[index], format)),
      }))}
      height={HEIGHT}
      scale={all.some((value) => value > 0) ? `0 – ${format(most)}` : ""}
      pointText={pointText}
      onOpen={onOpen}
      openLabel={openLabel}
    >
      {lines.map(({ name, color, values }) => (
        <g key={name} stroke={color} fill="none">
          <path d={pathOf(values, x, y)} strokeWidth="2" />
          {/* Lines of zero length with round caps, which stay circles at any width of the plot. */}
          {values.map((value, index) =>
            value === null ? null : (
              <path
                key={labels[index]}
                d={`M${x(index).toFixed(1)} ${y(value).toFixed(1)}h.01`}
                strokeWidth="5"
                strokeLinecap="round"
              />
            ),
          )}
        </g>
      ))}
    </PlotCard>
  );
}

function textOf(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}

/** A line through the values, with gaps where nothing was measured. */
function pathOf(
  values: readonly (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  let isBroken = true;
  return values
    .map((value, index) => {
      if (value === null) {
        isBroken = true;
        return "";
      }
      const command = isBroken ? "M" : "L";
      isBroken = false;
      return `${command}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join("");
}
