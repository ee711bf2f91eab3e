import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { accountQuery } from "../../api/accounts.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { Row, RowCard } from "../../parts/row-list.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { RequireFactor } from "./require-factor.tsx";

/** How members and programs prove themselves. */
export function SecurityPage() {
  const query = useQuery(accountQuery);
  const may = useMay();
  return (
    <>
      <PageHead title={t.security.title} detail={t.security.detail} />
      <RowCard title={t.security.factor}>
        <StateView query={query}>{(account) => <RequireFactor account={account} />}</StateView>
      </RowCard>
      <section className="card" aria-label={t.security.related}>
        <ul className="entries">
          {may("keys.read") && (
            <Row title={t.security.keys} detail={t.security.keysDetail}>
              <Link to="/keys" className="link">
                {t.security.openKeys}
              </Link>
            </Row>
          )}
          {may("audit.read") && (
            <Row title={t.security.log} detail={t.security.logDetail}>
              <Link to="/account/audit" search={{ action: "session" }} className="link">
                {t.security.openLog}
              </Link>
            </Row>
          )}
        </ul>
      </section>
    </>
  );
}
