import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type PolicyContent, policyQuery } from "../../api/policies.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { contentOf } from "./content.ts";
import { NewPolicy } from "./new-policy.tsx";

const route = getRouteApi("/inside/policies/-/new");

/** The content of a new policy, before the user changes it. */
const blank: PolicyContent = {
  transports: [{ direct: { tls: "opportunistic" } }],
  priority: "transactional",
};

/** A new routing policy: blank, or a copy of another one without its passwords. */
export function NewPolicyPage() {
  const { from } = route.useSearch();
  return (
    <>
      <PageHead
        title={t.policies.create}
        detail={t.policies.createDetail}
        above={
          <Link to="/policies" className="link">
            {t.policies.title}
          </Link>
        }
      />
      {from === undefined ? <NewPolicy content={blank} /> : <Copy key={from} from={from} />}
    </>
  );
}

function Copy({ from }: { readonly from: string }) {
  const query = useQuery(policyQuery(from));
  return <StateView query={query}>{(policy) => <NewPolicy content={contentOf(policy)} />}</StateView>;
}
