import type { ReactNode } from "react";

interface FactProps {
  readonly name: string;
  readonly children: ReactNode;
}

/** A name and its value in a list of facts. */
export function Fact({ name, children }: FactProps) {
  return (
    <div className="contents">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
