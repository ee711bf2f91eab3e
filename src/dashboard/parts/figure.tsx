import type { ReactNode } from "react";

interface FigureProps {
  readonly label: string;
  readonly value: string;
  /** Change from the previous period; undefined if it has no value. */
  readonly change?: string | undefined;
  readonly detail: ReactNode;
  readonly tone?: "ok" | "warn" | "bad" | undefined;
}

/** A figure with its name and a note, in a row of figures. */
export function Figure({ label, value, change, detail, tone }: FigureProps) {
  return (
    <div className="card figure">
      <div className="faint">{label}</div>
      <div className={`value ${tone ?? ""}`}>
        {value}
        {change !== undefined && <span className="change">{change}</span>}
      </div>
      <div className="detail">{detail}</div>
    </div>
  );
}
