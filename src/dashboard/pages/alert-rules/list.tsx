import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type AlertRule, rulesQuery } from "../../api/rules.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { conditionsText, effectText } from "./rule-text.ts";

const columns: readonly Column<AlertRule>[] = [
  {
    heading: t.rules.name,
    cell: ({ settings: { name, enabled, description } }) => (
      <>
        <span className="row">
          <Link to="/alert-rules/$name" params={{ name }} className="main">
            {name}
          </Link>
          {enabled === false && <StateBadge tone="idle">{t.rules.disabled}</StateBadge>}
        </span>
        {description && <div className="muted">{description}</div>}
      </>
    ),
    className: "main",
  },
  {
    heading: t.rules.conditions,
    cell: ({ settings }) => conditionsText(settings),
    className: "mono lines",
  },
  { heading: t.rules.effect, cell: ({ settings }) => effectText(settings), className: "muted wrap" },
  {
    heading: t.rules.order,
    cell: ({ settings: { order = 0 } }) => numberText(order),
    className: "right num wide-only",
  },
  {
    heading: t.rules.updated,
    cell: ({ updated_at }) => <Time at={updated_at} withDay />,
    className: "right muted wide-only",
  },
];

/** Alert rules of the account. */
export function RuleListPage() {
  const query = useInfiniteQuery(rulesQuery);
  const may = useMay();
  return (
    <>
      <PageHead title={t.rules.title} detail={t.rules.detail}>
        <Link to="/inhibitions" className="link">
          {t.inhibitions.title}
        </Link>
        {may("alerts.write") && (
          <Button renderRoot={(props) => <Link to="/alert-rules/-/new" {...props} />}>
            {t.rules.create}
          </Button>
        )}
      </PageHead>
      <ListCard query={query} empty={{ title: t.rules.empty, detail: t.rules.emptyDetail }}>
        {(rules) => (
          <Table
            label={t.rules.title}
            columns={columns}
            rows={rules}
            rowKey={({ settings }) => settings.name}
          />
        )}
      </ListCard>
    </>
  );
}
