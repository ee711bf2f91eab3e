import type { Domain } from "../../api/domains.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

const columns: readonly Column<Domain["keys"][number]>[] = [
  { heading: t.domains.selector, cell: ({ selector }) => selector, className: "mono" },
  { heading: t.domains.algorithm, cell: ({ algorithm }) => algorithm, className: "muted" },
  { heading: t.domains.keyState, cell: ({ state }) => t.domains.keyStates[state] ?? state },
  {
    heading: t.domains.signsFrom,
    cell: ({ signs_from }) => <Time at={signs_from} withDay />,
    className: "right muted",
  },
];

/** The DKIM keys of a domain, the newest first. */
export function DkimKeys({ keys }: { readonly keys: Domain["keys"] }) {
  return (
    <section className="card" aria-labelledby="dkim">
      <header>
        <h2 id="dkim">{t.domains.keys}</h2>
      </header>
      <Table label={t.domains.keys} columns={columns} rows={keys} rowKey={({ selector }) => selector} />
    </section>
  );
}
