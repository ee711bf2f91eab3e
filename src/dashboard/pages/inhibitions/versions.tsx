import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type Inhibition, inhibitionVersionsQuery } from "../../api/silences.ts";
import { VersionList } from "../../parts/version-list.tsx";
import type { VersionSearch } from "../../parts/version-search.ts";
import { InhibitionDifference } from "./inhibition-difference.tsx";
import { VersionContent } from "./version-content.tsx";

const route = getRouteApi("/inside/inhibitions/$name");

/** Versions of an inhibition: list, comparison and restoration. */
export function Versions({ inhibition }: { readonly inhibition: Inhibition }) {
  const { name } = inhibition;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(inhibitionVersionsQuery(name));
  const change = (changes: VersionSearch) =>
    void navigate({ search: (former) => ({ ...former, ...changes }), replace: true, resetScroll: false });
  return (
    <VersionList
      query={query}
      search={search}
      onChange={change}
      difference={(before, after) => <InhibitionDifference name={name} before={before} after={after} />}
    >
      {(open) => <VersionContent inhibition={inhibition} {...open} />}
    </VersionList>
  );
}
