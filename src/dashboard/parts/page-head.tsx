import type { ReactNode } from "react";

interface PageHeadProps {
  readonly title: string;
  readonly detail?: ReactNode;
  /** Link back to the list. */
  readonly above?: ReactNode;
  /** Buttons of the page. */
  readonly children?: ReactNode;
}

export function PageHead({ title, detail, above, children }: PageHeadProps) {
  return (
    <div className="head">
      <div>
        {above && <div className="faint">{above}</div>}
        <h1>{title}</h1>
        {detail && <p>{detail}</p>}
      </div>
      {children && <div className="row">{children}</div>}
    </div>
  );
}
