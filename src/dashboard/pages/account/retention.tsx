import { useQuery } from "@tanstack/react-query";
import { accountQuery, retentionQuery } from "../../api/accounts.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { AccountCard } from "./account-card.tsx";
import { ErasureCard } from "./erasure-card.tsx";
import { RetentionCard } from "./retention-card.tsx";

/** Retention times, erasures of recipients, and the account as a whole. */
export function RetentionPage() {
  const times = useQuery(retentionQuery);
  const account = useQuery(accountQuery);
  const may = useMay();
  return (
    <>
      <PageHead title={t.retention.title} detail={t.retention.detail} />
      <section className="card" aria-label={t.retention.times}>
        <StateView query={times}>{(retention) => <RetentionCard retention={retention} />}</StateView>
      </section>
      {may("recipients.erase") && <ErasureCard />}
      <section className="stack" aria-label={t.account.card}>
        <StateView query={account}>{(shown) => <AccountCard account={shown} />}</StateView>
      </section>
    </>
  );
}
