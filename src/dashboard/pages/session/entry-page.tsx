import type { ReactNode } from "react";
import { t } from "../../texts/texts.ts";

interface EntryPageProps {
  readonly title: string;
  readonly detail?: string;
  readonly children: ReactNode;
}

/** Frame of the pages before a session is complete. */
export function EntryPage({ title, detail, children }: EntryPageProps) {
  return (
    <div className="entry">
      <main id="content">
        <div className="brand">
          <span className="mark" aria-hidden="true">
            H
          </span>
          {t.session.brand}
        </div>
        <div>
          <h1>{title}</h1>
          {detail && <p className="muted">{detail}</p>}
        </div>
        {children}
      </main>
    </div>
  );
}
