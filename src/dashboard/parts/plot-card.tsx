import type { ReactNode } from "react";
import { PlotTable } from "./plot-table.tsx";

interface PlottedSeries {
  readonly name: string;
  readonly color: string;
  /** Values as text, one for each label. */
  readonly cells: readonly string[];
}

interface PlotCardProps {
  readonly title: string;
  /** Shown beside the title. */
  readonly note?: string | undefined;
  readonly labels: readonly string[];
  readonly series: readonly PlottedSeries[];
  /** Size of the plot in CSS pixels. */
  readonly height: number;
  /** The scale, shown between the first and the last label. */
  readonly scale?: string;
  /** Text of a point, shown at the pointer. */
  readonly pointText: (index: number) => string;
  /** Opens the list behind a point. */
  readonly onOpen: (index: number) => void;
  readonly openLabel: (label: string) => string;
  /** The shapes of the series. */
  readonly children: ReactNode;
}

const PLOT_WIDTH = 1_150;
const GRID = [0, 0.25, 0.5, 0.75];

/** Width of the area of one label in a plot. */
export const plotStep = (labels: readonly string[]) => PLOT_WIDTH / Math.max(1, labels.length);

/** Values over time. A table has the same values: its rows open the list behind a point by keyboard. */
export function PlotCard(props: PlotCardProps) {
  const { title, note, labels, series, height, scale, pointText, onOpen, openLabel, children } = props;
  const step = plotStep(labels);
  return (
    <section className="card" aria-label={title}>
      <header>
        <div className="row">
          <h2>{title}</h2>
          {note !== undefined && <span className="faint">{note}</span>}
        </div>
        <div className="legend">
          {series.map(({ name, color }) => (
            <span key={name} style={{ "--c": color } as React.CSSProperties}>
              {name}
            </span>
          ))}
        </div>
      </header>
      <div className="body">
        <svg
          viewBox={`0 0 ${PLOT_WIDTH} ${height}`}
          width="100%"
          height={height}
          // The same height on a phone: texts are outside, and strokes keep their width.
          preserveAspectRatio="none"
          aria-hidden="true"
          className="plot"
        >
          {GRID.map((part) => (
            <line
              key={part}
              x1="0"
              x2={PLOT_WIDTH}
              y1={height * part}
              y2={height * part}
              stroke="var(--line)"
            />
          ))}
          {children}
          {labels.map((label, index) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the table beside it does the same by keyboard
            <rect
              key={label}
              x={index * step}
              y="0"
              width={step}
              height={height}
              fill="transparent"
              className="hit"
              onClick={() => onOpen(index)}
            >
              <title>{`${label}: ${pointText(index)}`}</title>
            </rect>
          ))}
        </svg>
        <div className="spread nowrap faint" aria-hidden="true">
          <span>{labels[0] ?? "\u00a0"}</span>
          {scale !== undefined && <span>{scale}</span>}
          <span>{labels.at(-1)}</span>
        </div>
        <PlotTable title={title} labels={labels} columns={series} onOpen={onOpen} openLabel={openLabel} />
      </div>
    </section>
  );
}
