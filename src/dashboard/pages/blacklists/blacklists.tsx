import { getRouteApi, Link } from "@tanstack/react-router";
import { type ListingFilter, listingFilterNames } from "../../api/insights.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { readTexts } from "../../parts/read-texts.ts";
import { t } from "../../texts/texts.ts";
import { ScopeFilters } from "../intel-scope/scope-filters.tsx";
import { ListHealth } from "./list-health.tsx";
import { ListingHistory } from "./listing-history.tsx";
import { Listings } from "./listings.tsx";
import { blacklistTabs } from "./tabs.ts";

const route = getRouteApi("/inside/intel/blacklists");

/** Entries at blacklists: those of now, their history, and the health of the lists. The address has the filters. */
export function BlacklistPage() {
  const { tab = "now", ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changes: ListingFilter) =>
    void navigate({
      search: {
        ...readTexts({ ...filter, ...changes }, listingFilterNames),
        ...(tab !== "now" && { tab }),
      },
      replace: true,
    });
  return (
    <>
      <PageHead title={t.blacklists.title} detail={t.blacklists.detail} />
      <nav className="tabs" aria-label={t.blacklists.title}>
        {blacklistTabs.map((name) => (
          <Link
            key={name}
            from="/intel/blacklists"
            search={(former) => ({ ...former, tab: name === "now" ? undefined : name })}
            // The address without a tab is a prefix of the others.
            activeOptions={{ exact: true }}
            activeProps={{}}
            resetScroll={false}
            aria-current={name === tab ? "page" : undefined}
          >
            {t.blacklists.tabs[name]}
          </Link>
        ))}
      </nav>
      {tab !== "lists" && (
        <search className="row">
          <ScopeFilters scope={filter} onChange={change} />
        </search>
      )}
      {tab === "now" && <Listings filter={filter} onChange={change} />}
      {tab === "past" && <ListingHistory filter={filter} />}
      {tab === "lists" && <ListHealth />}
    </>
  );
}
