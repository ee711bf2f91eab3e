import { useQuery } from "@tanstack/react-query";
import { factorsQuery } from "../../api/factors.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { RowCard } from "../../parts/row-list.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { AccountsCard } from "./accounts-card.tsx";
import { FactorRows } from "./factor-rows.tsx";
import { PasskeyCard } from "./passkey-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { SignInCard } from "./sign-in-card.tsx";

/** The user's own page: address, password, factors, sessions and accounts. */
export function UserPage() {
  const factors = useQuery(factorsQuery);
  return (
    <>
      <PageHead title={t.user.title} detail={t.user.detail} />
      <SignInCard />
      <RowCard title={t.user.factors}>
        <StateView query={factors}>{(data) => <FactorRows factors={data} />}</StateView>
      </RowCard>
      {factors.data && <PasskeyCard passkeys={factors.data.passkeys} />}
      <SessionsCard />
      <AccountsCard />
    </>
  );
}
