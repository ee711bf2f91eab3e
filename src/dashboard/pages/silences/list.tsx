import { Button } from "@mantine/core";
import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Page } from "../../api/pages.ts";
import { type Silence, silencesQuery } from "../../api/silences.ts";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { conditionsText } from "../alert-rules/rule-text.ts";
import { SilenceState } from "./silence-state.tsx";
import { nextText, timesText } from "./times-text.ts";

const route = getRouteApi("/inside/silences");
/** Rows of the first view: the filter leaves short pages. */
const MIN_ROWS = 20;

const columns: readonly Column<Silence>[] = [
  { heading: t.silences.state, cell: ({ state }) => <SilenceState state={state} /> },
  {
    heading: t.silences.comment,
    cell: ({ id, comment }) => (
      <Link to="/silences/$silenceId" params={{ silenceId: id }} className="main">
        {comment}
      </Link>
    ),
    className: "main wrap",
  },
  { heading: t.silences.conditions, cell: conditionsText, className: "mono lines" },
  {
    heading: t.silences.times,
    cell: (silence) => (
      <>
        <div>{timesText(silence)}</div>
        {silence.state !== "expired" && <div className="muted">{nextText(silence)}</div>}
      </>
    ),
    className: "lines",
  },
  { heading: t.silences.createdBy, cell: ({ created_by }) => created_by, className: "muted wide-only" },
  {
    heading: t.silences.created,
    cell: ({ created_at }) => <Time at={created_at} withDay />,
    className: "right muted wide-only",
  },
];

/** Silences of the account, newest first. The address has the filter. */
export function SilenceListPage() {
  const { state } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const states = state?.split(",") ?? [];
  const query = useInfiniteQuery({ ...silencesQuery, select: withStates(states) });
  const create = may("alerts.write") && (
    <Button renderRoot={(props) => <Link to="/silences/-/new" {...props} />}>{t.silences.create}</Button>
  );
  return (
    <>
      <PageHead title={t.silences.title} detail={t.silences.detail}>
        {create}
      </PageHead>
      <search className="row">
        <FilterMenu
          label={t.silences.state}
          options={t.silences.states}
          values={states}
          isMultiple
          onPick={(picked) =>
            void navigate({ search: picked.length > 0 ? { state: picked.join(",") } : {}, replace: true })
          }
        />
      </search>
      <ListCard
        query={query}
        minRows={states.length > 0 ? MIN_ROWS : 1}
        empty={
          states.length > 0
            ? { title: t.silences.emptyFiltered }
            : { title: t.silences.empty, detail: t.silences.emptyDetail, action: create }
        }
      >
        {(rows) => <Table label={t.silences.title} columns={columns} rows={rows} rowKey={({ id }) => id} />}
      </ListCard>
    </>
  );
}

/** @param states empty: all */
const withStates =
  (states: readonly string[]) =>
  <Loaded extends InfiniteData<Page<Silence>>>(loaded: Loaded): Loaded => ({
    ...loaded,
    pages: loaded.pages.map((page) => ({
      ...page,
      data: page.data.filter((one) => states.length === 0 || states.includes(one.state)),
    })),
  });
