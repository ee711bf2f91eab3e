import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type WebhookEventType, webhookTypesQuery } from "../../api/webhooks.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { ownText } from "../../texts/own-text.ts";
import { t } from "../../texts/texts.ts";
import { EventType } from "./event-type.tsx";
import { fieldsOf } from "./schema-fields.ts";

const route = getRouteApi("/inside/webhooks/events");

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
                <ul className="catalogue" aria-label={t.events.title}>
                  {shown.map((one) => (
                    <li key={one.type}>
                      <button
                        type="button"
                        className="opener bare"
                        aria-expanded={one.type === open}
                        onClick={() => toggle(one.type)}
                      >
                        {one.type}
                      </button>
                      <p className="muted tight">{descriptionOf(one)}</p>
                      {one.type === open && <EventType shown={one} />}
                    </li>
                  ))}
                </ul>
              </>
            );
          }}
        </StateView>
      </div>
    </>
  );
}

/** The types that contain each word of a text in their name, their description or the path of a field. */
function matching(types: readonly WebhookEventType[], text: string | undefined): readonly WebhookEventType[] {
  const words = (text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return types;
  return types.filter((one) => {
    const paths = fieldsOf(one.schema).map(({ path }) => path);
    const searched = [one.type, descriptionOf(one), ...paths].join(" ").toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

const descriptionOf = ({ type, description }: WebhookEventType): string =>
  ownText(t.server.eventTypes, type) ?? description;
