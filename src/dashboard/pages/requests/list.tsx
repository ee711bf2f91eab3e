import { TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type LoggedRequest, type RequestFilter, requestsQuery } from "../../api/requests.ts";
import type { Tone } from "../../parts/icons.tsx";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { PickField } from "../../parts/pick-field.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { spanText, Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { aroundMinute, middleOf } from "./around-minute.ts";
import { KeyPick } from "./key-pick.tsx";
import { StatusPlot } from "./status-plot.tsx";

const route = getRouteApi("/inside/requests");

const columns: readonly Column<LoggedRequest>[] = [
  {
    heading: t.requests.status,
    cell: ({ status }) => (
      <StateBadge tone={toneOf(status)}>{status === 0 ? "–" : String(status)}</StateBadge>
    ),
  },
  {
    heading: t.requests.request,
    cell: ({ method, route: path, count }) => (
      <b>{path === "" ? t.requests.counted(count) : `${method} ${path}`}</b>
    ),
    className: "main",
  },
  { heading: t.requests.fault, cell: ({ code }) => code, className: "mono wrap wide-only" },
  {
    heading: t.requests.key,
    cell: ({ key_id }) => (
      <Link to="/keys/$keyId" params={{ keyId: key_id }} className="link">
        {t.requests.show}
      </Link>
    ),
    className: "wide-only",
  },
  {
    heading: t.requests.message,
    cell: ({ message_id }) =>
      message_id && (
        <Link to="/messages/$messageId" params={{ messageId: message_id }} className="link">
          {t.requests.show}
        </Link>
      ),
    className: "wide-only",
  },
  {
    heading: t.requests.duration,
    cell: ({ duration_ms }) => spanText(duration_ms),
    className: "num muted wide-only",
  },
  { heading: t.requests.address, cell: ({ client_address }) => client_address, className: "muted wide-only" },
  { heading: t.requests.at, cell: ({ at }) => <Time at={at} withDay />, className: "right muted" },
];

/** Requests made with the keys of the account, and their responses. */
export function RequestListPage() {
  const { period = "24h", ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(requestsQuery(filter));
  const change = (changes: RequestFilter) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });

  return (
    <>
      <PageHead title={t.requests.title} detail={t.requests.detail} />
      <StatusPlot period={period} />
      <search className="row">
        <SearchField
          label={t.requests.trace}
          hint={t.requests.searchHint}
          value={filter.trace_id}
          onSearch={(trace_id) => change({ trace_id })}
        />
        <PickField
          label={t.requests.status}
          options={t.requests.classes}
          value={filter.status}
          onPick={(status) => change({ status })}
        />
        <KeyPick value={filter.key_id} onPick={(key_id) => change({ key_id })} />
        <TextInput
          type="datetime-local"
          aria-label={`${t.requests.around}. ${t.requests.aroundHint}`}
          title={t.requests.aroundHint}
          value={middleOf(filter)}
          onChange={(event) => change(aroundMinute(event.currentTarget.value))}
        />
      </search>
      <ListCard
        query={query}
        empty={
          Object.keys(filter).length > 0
            ? { title: t.requests.emptyFiltered }
            : { title: t.requests.empty, detail: t.requests.emptyDetail }
        }
      >
        {(rows) => <Table label={t.requests.title} columns={columns} rows={rows} rowKey={({ id }) => id} />}
      </ListCard>
    </>
  );
}

function toneOf(status: number): Tone {
  if (status >= 500) return "bad";
  if (status >= 400) return "warn";
  return status >= 200 ? "ok" : "idle";
}
