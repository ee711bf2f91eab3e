import { PlotTable } from "./plot-table.tsx";

interface PlottedSeries {
  readonly name: string;
  readonly color: string;
  /** One for each label. */
  readonly counts: readonly number[];
}

interface BarPlotProps {
  readonly title: string;
  readonly labels: readonly string[];
  /** The first is the tall one; others stand before it. */
  readonly series: readonly PlottedSeries[];
  /** Opens the list behind a bar. */
  readonly onOpen: (index: number) => void;
  readonly openLabel: (label: string) => string;
}

const WIDTH = 1_150;
const HEIGHT = 200;
const GRID = [0, 0.25, 0.5, 0.75];

/** Counts over time as bars. The same numbers are a table for screen readers, whose rows open the list behind a bar. */
export function BarPlot({ title, labels, series, onOpen, openLabel }: BarPlotProps) {
  const most = Math.max(1, ...series.flatMap(({ counts }) => counts));
  const step = WIDTH / Math.max(1, labels.length);
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <div className="legend">
          {series.map(({ name, color }) => (
            <span key={name} style={{ "--c": color } as React.CSSProperties}>
              {name}
            </span>
          ))}
        </div>
      </header>
      <div className="body">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="100%" aria-hidden="true" className="plot">
          {GRID.map((part) => (
            <line key={part} x1="0" x2={WIDTH} y1={HEIGHT * part} y2={HEIGHT * part} stroke="var(--line)" />
          ))}
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
          {labels.map((label, index) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the table beside it does the same by keyboard
            <rect
              key={label}
              x={index * step}
              y="0"
              width={step}
              height={HEIGHT}
              fill="transparent"
              className="hit"
              onClick={() => onOpen(index)}
            >
              <title>{`${label}: ${series.map(({ name, counts }) => `${counts[index] ?? 0} ${name}`).join(", ")}`}</title>
            </rect>
          ))}
        </svg>
        <div className="spread nowrap faint" aria-hidden="true">
          <span>{labels[0]}</span>
          <span>{labels.at(-1)}</span>
        </div>
        <PlotTable
          title={title}
          labels={labels}
          columns={series.map(({ name, counts }) => ({
            name,
            cells: labels.map((_, index) => (counts[index] ?? 0).toLocaleString("en")),
          }))}
          onOpen={onOpen}
          openLabel={openLabel}
        />
      </div>
    </section>
  );
}
