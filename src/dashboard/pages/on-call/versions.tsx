import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type Schedule, scheduleVersionsQuery } from "../../api/oncalls.ts";
import { VersionList } from "../../parts/version-list.tsx";
import type { VersionSearch } from "../../parts/version-search.ts";
import { ScheduleDifference } from "./schedule-difference.tsx";
import { VersionContent } from "./version-content.tsx";

const route = getRouteApi("/inside/on-call/$name");

/** Versions of a schedule: list, comparison and restoration. */
export function Versions({ schedule }: { readonly schedule: Schedule }) {
  const { name } = schedule.settings;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(scheduleVersionsQuery(name));
  const change = (changes: VersionSearch) =>
    void navigate({ search: (former) => ({ ...former, ...changes }), replace: true, resetScroll: false });
  return (
    <VersionList
      query={query}
      search={search}
      onChange={change}
      difference={(before, after) => <ScheduleDifference name={name} before={before} after={after} />}
    >
      {(open) => <VersionContent schedule={schedule} {...open} />}
    </VersionList>
  );
}
