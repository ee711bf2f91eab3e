import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { sessionQuery, showSecondFactor } from "../../api/session.ts";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { EntryPage } from "./entry-page.tsx";
import { type Proof, ProofForm } from "./proof-form.tsx";
import { useEntered } from "./use-entered.ts";
import { secondFactorWays } from "./ways.ts";

const route = getRouteApi("/second-factor");

export function SecondFactorPage() {
  const { return_to } = route.useSearch();
  const entered = useEntered(return_to);
  const query = useQuery(sessionQuery);
  return (
    <EntryPage title={t.session.secondFactor} detail={t.session.secondFactorDetail}>
      <StateView query={query}>
        {(session) => (
          <ProofForm
            email={session.email}
            ways={secondFactorWays(session)}
            send={(proof) => showSecondFactor(proof as Exclude<Proof, { readonly password: string }>)}
            onShown={entered}
          />
        )}
      </StateView>
    </EntryPage>
  );
}
