import { numberText } from "../texts/number-text.ts";
import { PlotCard, plotStep } from "./plot-card.tsx";

interface PlottedSeries {
  readonly name: string;
  readonly color: string;
  /** One for each label. */
  readonly counts: readonly number[];
}

interface BarPlotProps {
  readonly title: string;
  readonly labels: readonly string[];
  /** The first series is the tall one; the others are drawn before it. */
  readonly series: readonly PlottedSeries[];
  /** Opens the list behind a bar. */
  readonly onOpen: (index: number) => void;
  readonly openLabel: (label: string) => string;
}

const HEIGHT = 200;

/** Counts over time as bars. */
export function BarPlot({ title, labels, series, onOpen, openLabel }: BarPlotProps) {
  const most = Math.max(1, ...series.flatMap(({ counts }) => counts));
  const step = plotStep(labels);
  const pointText = (index: number) =>
    series.map(({ name, counts }) => `${counts[index] ?? 0} ${name}`).join(", ");
  return (
    <PlotCard
      title={title}
      labels={labels}
      series={series.map(({ name, color, counts }) => ({
        name,
        color,
        cells: labels.map((_, index) => numberText(counts[index] ?? 0)),
      }))}
      height={HEIGHT}
      scale={series.some(({ counts }) => counts.some((count) => count > 0)) ? `0 – ${numberText(most)}` : ""}
      pointText={pointText}
      onOpen={onOpen}
      openLabel={openLabel}
    >
      {series.map(({ name, color, counts }) =>
        counts.map((count, index) => {
          const height = (count / most) * (HEIGHT - 8);
          return (
            <rect
              key={`${name} ${labels[index]}`}
              x={index * step + 2}
              y={HEIGHT - height}
              width={Math.max(1, step - 4)}
              height={height}
              rx="2"
              fill={color}
            />
          );
        }),
      )}
    </PlotCard>
  );
}
