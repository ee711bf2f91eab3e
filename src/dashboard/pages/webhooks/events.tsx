import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type WebhookEventType, webhookTypesQuery } from "../../api/webhooks.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { t } from "../../texts/texts.ts";
import { EventType } from "./event-type.tsx";
import { matching } from "./matching-types.ts";

const route = getRouteApi("/inside/webhooks/events");

function columns(open: string | undefined, toggle: (type: string) => void): readonly Column<WebhookEventType>[] {
  return [
    {
      heading: t.webhooks.testType,
      cell: ({ type }) => (
        <button
          type="button"
          className="opener bare"
          aria-expanded={type === open}
          onClick={() => toggle(type)}
        >
          {type}
        </button>
      ),
      className: "main",
    },
    { heading: t.events.meaning, cell: ({ description }) => description, className: "muted wrap" },
  ];
}

/** All event types. The address has the search and the open type. */
export function EventCataloguePage() {
  const { search, type: open } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(webhookTypesQuery);
  const change = (changes: { search?: string | undefined; type?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  const toggle = (type: string) => change({ type: type === open ? undefined : type });
  return (
    <>
      <PageHead
        title={t.events.title}
        detail={t.events.detail}
        above={
          <Link to="/webhooks" className="link">
            {t.webhooks.title}
          </Link>
        }
      />
      <search className="row">
        <SearchField
          label={t.events.search}
          hint={t.events.searchHint}
          value={search}
          onSearch={(text) => change({ search: text })}
        />
      </search>
      <div className="card">
        <StateView
          query={query}
          empty={{
            when: ({ data }) => matching(data, search).length === 0,
            view: <p className="notice muted">{t.events.none}</p>,
          }}
        >
          {({ data }) => {
            const shown = matching(data, search);
            return (
              <>
                <p className="body faint" role="status">
                  {t.events.count(shown.length)}
                </p>
                <Table
                  label={t.events.title}
                  columns={columns(open, toggle)}
                  rows={shown}
                  rowKey={({ type }) => type}
                  below={(row) => (row.type === open ? <EventType shown={row} /> : undefined)}
                />
              </>
            );
          }}
        </StateView>
      </div>
    </>
  );
}
