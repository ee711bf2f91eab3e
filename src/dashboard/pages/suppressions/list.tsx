import { Button, Menu } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { exportAddress, type SuppressionFilter, suppressionsQuery } from "../../api/suppressions.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { PickField } from "../../parts/pick-field.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { AddSuppression } from "./add-suppression.tsx";
import { ImportFile } from "./import-file.tsx";
import { ReasonCounts } from "./reason-counts.tsx";
import { RemoveMatching } from "./remove-matching.tsx";
import { SuppressionTable } from "./suppression-table.tsx";

const route = getRouteApi("/inside/suppressions");

/** Addresses to which the account sends nothing. */
export function SuppressionListPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(suppressionsQuery(filter));
  const may = useMay();
  const [asked, setAsked] = useState<"add" | "import" | "remove">();
  const isFiltered = Object.keys(filter).length > 0;
  const change = (changes: SuppressionFilter) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  const close = () => setAsked(undefined);

  return (
    <>
      <PageHead title={t.suppressions.title} detail={t.suppressions.detail}>
        <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <Button variant="default">{t.suppressions.more}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item component="a" href={exportAddress(filter)} download>
              {t.suppressions.export}
            </Menu.Item>
            {may("suppressions.write") && (
              <Menu.Item onClick={() => setAsked("import")}>{t.suppressions.import}</Menu.Item>
            )}
            {may("suppressions.write") && isFiltered && (
              <Menu.Item onClick={() => setAsked("remove")}>{t.suppressions.removeAll}</Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
        {may("suppressions.write") && <Button onClick={() => setAsked("add")}>{t.suppressions.add}</Button>}
      </PageHead>
      <ReasonCounts filter={filter} onPick={(reason) => change({ reason })} />
      <search className="row">
        <SearchField
          label={t.suppressions.search}
          hint={t.suppressions.searchHint}
          value={filter.address ?? filter.domain}
          onSearch={(text) => change(searched(text))}
        />
        <PickField
          label={t.suppressions.reason}
          options={t.suppressions.reasons}
          value={filter.reason}
          onPick={(reason) => change({ reason })}
        />
        <PickField
          label={t.suppressions.since}
          options={t.suppressions.spans}
          value={filter.days}
          onPick={(days) => change({ days })}
        />
      </search>
      <ListCard
        query={query}
        empty={
          isFiltered
            ? { title: t.suppressions.emptyFiltered }
            : { title: t.suppressions.empty, detail: t.suppressions.emptyDetail }
        }
      >
        {(rows) => <SuppressionTable rows={rows} />}
      </ListCard>
      {asked === "add" && <AddSuppression onClose={close} />}
      {asked === "import" && <ImportFile onClose={close} />}
      {asked === "remove" && <RemoveMatching filter={filter} onClose={close} />}
    </>
  );
}

/** An address is searched as a whole. Text with nothing before its `@` is a domain. */
function searched(text: string | undefined): SuppressionFilter {
  const isAddress = text?.includes("@") && !text.startsWith("@");
  return isAddress ? { address: text, domain: undefined } : { address: undefined, domain: text };
}
