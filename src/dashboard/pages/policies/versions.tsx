import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type Policy, policyVersionsQuery } from "../../api/policies.ts";
import { VersionList } from "../../parts/version-list.tsx";
import type { VersionSearch } from "../../parts/version-search.ts";
import { PolicyDifference } from "./policy-difference.tsx";
import { VersionContent } from "./version-content.tsx";

const route = getRouteApi("/inside/policies/$name");

/** Versions of a policy: list, comparison and restoration. */
export function Versions({ policy }: { readonly policy: Policy }) {
  const { name } = policy;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(policyVersionsQuery(name));
  const change = (changes: VersionSearch) =>
    void navigate({ search: (former) => ({ ...former, ...changes }), replace: true, resetScroll: false });
  return (
    <VersionList
      query={query}
      search={search}
      onChange={change}
      difference={(before, after) => <PolicyDifference name={name} before={before} after={after} />}
    >
      {(open) => <VersionContent policy={policy} {...open} />}
    </VersionList>
  );
}
