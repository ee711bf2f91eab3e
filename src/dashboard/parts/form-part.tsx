import type { ReactNode } from "react";

interface FormPartProps {
  readonly title: string;
  readonly detail?: string;
  readonly children: ReactNode;
}

/** A part of a long form, as a card with its title. */
export function FormPart({ title, detail, children }: FormPartProps) {
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      <div className="body stack">
        {detail && <p className="muted tight">{detail}</p>}
        {children}
      </div>
    </section>
  );
}
