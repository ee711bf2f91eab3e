import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Inhibition, inhibitionsQuery } from "../../api/silences.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { conditionsText } from "../alert-rules/rule-text.ts";

const columns: readonly Column<Inhibition>[] = [
  {
    heading: t.inhibitions.name,
    cell: ({ name }) => (
      <Link to="/inhibitions/$name" params={{ name }} className="main">
        {name}
      </Link>
    ),
    className: "main",
  },
  { heading: t.inhibitions.source, cell: ({ source }) => conditionsText(source), className: "mono lines" },
  { heading: t.inhibitions.target, cell: ({ target }) => conditionsText(target), className: "mono lines" },
  { heading: t.inhibitions.equal, cell: ({ equal }) => equal.join(", "), className: "mono wrap wide-only" },
  {
    heading: t.inhibitions.updated,
    cell: ({ updated_at }) => <Time at={updated_at} withDay />,
    className: "right muted wide-only",
  },
];

/** Inhibitions of the account. */
export function InhibitionListPage() {
  const query = useQuery(inhibitionsQuery);
  const may = useMay();
  return (
    <>
      <PageHead
        title={t.inhibitions.title}
        detail={t.inhibitions.detail}
        above={
          <Link to="/alert-rules" className="link">
            {t.rules.title}
          </Link>
        }
      >
        {may("alerts.write") && (
          <Button renderRoot={(props) => <Link to="/inhibitions/-/new" {...props} />}>
            {t.inhibitions.create}
          </Button>
        )}
      </PageHead>
      <div className="card">
        <StateView
          query={query}
          empty={{
            when: ({ data }) => data.length === 0,
            view: (
              <div className="notice">
                <strong>{t.inhibitions.empty}</strong>
                <p className="muted">{t.inhibitions.emptyDetail}</p>
              </div>
            ),
          }}
        >
          {({ data }) => (
            <Table label={t.inhibitions.title} columns={columns} rows={data} rowKey={({ name }) => name} />
          )}
        </StateView>
      </div>
    </>
  );
}
