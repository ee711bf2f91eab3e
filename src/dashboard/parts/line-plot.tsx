import { PlotTable } from "./plot-table.tsx";

interface PlottedLine {
  readonly name: string;
  readonly color: string;
  /** One for each label; null: nothing was measured. */
  readonly values: readonly (number | null)[];
}

interface LinePlotProps {
  readonly title: string;
  /** Shown under the title. */
  readonly note?: string | undefined;
  readonly labels: readonly string[];
  readonly lines: readonly PlottedLine[];
  readonly format: (value: number) => string;
  /** Opens the list behind a point. */
  readonly onOpen: (index: number) => void;
  readonly openLabel: (label: string) => string;
}

const WIDTH = 1_150;
const HEIGHT = 180;
const GRID = [0, 0.25, 0.5, 0.75];

/** Values over time as lines. The same values are a table, whose rows open the list behind a point by keyboard. */
export function LinePlot({ title, note, labels, lines, format, onOpen, openLabel }: LinePlotProps) {
  const all = lines.flatMap(({ values }) => values.filter((value) => value !== null));
  const most = Math.max(...all, Number.MIN_VALUE);
  const step = WIDTH / Math.max(1, labels.length);
  const x = (index: number) => index * step + step / 2;
  const y = (value: number) => HEIGHT - (value / most) * (HEIGHT - 12);
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <div className="legend">
          {lines.map(({ name, color }) => (
            <span key={name} style={{ "--c": color } as React.CSSProperties}>
              {name}
            </span>
          ))}
        </div>
      </header>
      <div className="body">
        {note !== undefined && <p className="faint">{note}</p>}
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="100%" aria-hidden="true" className="plot">
          {GRID.map((part) => (
            <line key={part} x1="0" x2={WIDTH} y1={HEIGHT * part} y2={HEIGHT * part} stroke="var(--line)" />
          ))}
          {lines.map(({ name, color, values }) => (
            <g key={name} stroke={color} fill="none" strokeWidth="2">
              <path d={pathOf(values, x, y)} />
              {values.map((value, index) =>
                value === null ? null : (
                  <circle key={labels[index]} cx={x(index)} cy={y(value)} r="2.5" fill={color} />
                ),
              )}
            </g>
          ))}
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
              <title>{`${label}: ${lines.map(({ name, values }) => `${name} ${textOf(values[index], format)}`).join(", ")}`}</title>
            </rect>
          ))}
        </svg>
        <div className="spread nowrap faint" aria-hidden="true">
          <span>{labels[0]}</span>
          <span>{all.some((value) => value > 0) ? `0 – ${format(most)}` : ""}</span>
          <span>{labels.at(-1)}</span>
        </div>
        <PlotTable
          title={title}
          labels={labels}
          columns={lines.map(({ name, values }) => ({
            name,
            cells: labels.map((_, index) => textOf(values[index], format)),
          }))}
          onOpen={onOpen}
          openLabel={openLabel}
        />
      </div>
    </section>
  );
}

function textOf(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}

/** A line through the values; it is broken where nothing was measured. */
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
