import { useQuery } from "@tanstack/react-query";
import { installationQuery } from "../../api/installation.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { RowCard } from "../../parts/row-list.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { Table } from "../../parts/table.tsx";
import { t } from "../../texts/texts.ts";
import { providerColumns, rateColumns, resourceColumns } from "./limit-columns.tsx";
import { MessageLimits } from "./message-limits.tsx";

/** Limits of the account, and how much of each it uses. */
export function LimitsPage() {
  const query = useQuery(installationQuery);
  return (
    <>
      <PageHead title={t.limits.title} detail={`${t.limits.detail} ${t.limits.ofInstallation}`} />
      <StateView query={query}>
        {({ limits, provider_limits }) => (
          <>
            <RowCard title={t.limits.resources}>
              <Table
                label={t.limits.resources}
                columns={resourceColumns}
                rows={limits.resources}
                rowKey={({ resource }) => resource}
              />
            </RowCard>
            <RowCard title={t.limits.rates}>
              {limits.rates.length === 0 ? (
                <p className="body muted">{t.limits.noRates}</p>
              ) : (
                <Table
                  label={t.limits.rates}
                  columns={rateColumns}
                  rows={limits.rates}
                  rowKey={({ rate }) => rate}
                />
              )}
            </RowCard>
            <RowCard title={t.limits.sizes}>
              <MessageLimits limits={limits} />
            </RowCard>
            <section className="card" aria-label={t.limits.providers}>
              <header>
                <div>
                  <h2>{t.limits.providers}</h2>
                  <p className="muted">{t.limits.providersDetail}</p>
                </div>
              </header>
              <Table
                label={t.limits.providers}
                columns={providerColumns}
                rows={provider_limits}
                rowKey={({ provider, measure, level }) => `${provider} ${measure} ${level}`}
              />
            </section>
          </>
        )}
      </StateView>
    </>
  );
}
