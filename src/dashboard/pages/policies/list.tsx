import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { attentionQuery } from "../../api/counters.ts";
import { policiesQuery } from "../../api/policies.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Table } from "../../parts/table.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { policyColumns } from "./policy-columns.tsx";

/** Routing policies of the account by name. */
export function PolicyListPage() {
  const query = useInfiniteQuery(policiesQuery);
  const may = useMay();
  const attention = useQuery({ ...attentionQuery, enabled: may("keys.read") });
  const { holds, hold_count: count = 0 } = attention.data ?? {};
  const more = count - (holds?.length ?? 0);
  return (
    <>
      <PageHead title={t.policies.title} detail={t.policies.detail}>
        {may("policies.write") && (
          <Button component={Link} to="/policies/-/new">
            {t.policies.create}
          </Button>
        )}
      </PageHead>
      <ListCard query={query} empty={{ title: t.policies.empty, detail: t.policies.emptyDetail }}>
        {(policies) => (
          <Table
            label={t.policies.title}
            columns={policyColumns(holds)}
            rows={policies}
            rowKey={({ name }) => name}
          />
        )}
      </ListCard>
      {attention.error && <p className="muted tight">{t.policies.holdsUnknown}</p>}
      {more > 0 && <p className="muted tight">{t.policies.moreHolds(more)}</p>}
    </>
  );
}
