import type { ReactNode } from "react";

interface RowCardProps {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A card of rows, each with a description and its actions. */
export function RowCard({ title, action, children }: RowCardProps) {
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {action}
      </header>
      {children}
    </section>
  );
}

interface RowProps {
  readonly title: ReactNode;
  readonly detail?: ReactNode;
  /** Buttons of the row. */
  readonly children?: ReactNode;
}

export function Row({ title, detail, children }: RowProps) {
  return (
    <li>
      <div className="what">
        <b>{title}</b>
        {detail && <span className="muted">{detail}</span>}
      </div>
      {children && <div className="row">{children}</div>}
    </li>
  );
}
