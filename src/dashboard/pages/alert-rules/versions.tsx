import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type AlertRule, ruleVersionsQuery } from "../../api/rules.ts";
import { VersionList } from "../../parts/version-list.tsx";
import type { VersionSearch } from "../../parts/version-search.ts";
import { RuleDifference } from "./rule-difference.tsx";
import { VersionContent } from "./version-content.tsx";

const route = getRouteApi("/inside/alert-rules/$name");

/** Versions of an alert rule: list, comparison and restoration. */
export function Versions({ rule }: { readonly rule: AlertRule }) {
  const { name } = rule.settings;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(ruleVersionsQuery(name));
  const change = (changes: VersionSearch) =>
    void navigate({ search: (former) => ({ ...former, ...changes }), replace: true, resetScroll: false });
  return (
    <VersionList
      query={query}
      search={search}
      onChange={change}
      difference={(before, after) => <RuleDifference name={name} before={before} after={after} />}
    >
      {(open) => <VersionContent rule={rule} {...open} />}
    </VersionList>
  );
}
