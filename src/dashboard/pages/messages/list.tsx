import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type MessageFilter, messagesQuery } from "../../api/messages.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { PickField } from "../../parts/pick-field.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { t } from "../../texts/texts.ts";
import { MessageTable } from "./message-table.tsx";

const route = getRouteApi("/inside/messages");

/** All messages of the account, newest first. The address holds the filters. */
export function MessageListPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(messagesQuery(filter));
  const isFiltered = Object.keys(filter).length > 0;
  const change = (changes: MessageFilter) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  const clear = () => void navigate({ search: {} });

  return (
    <>
      <PageHead title={t.messages.title} />
      {/* Cleared filters show empty fields again. */}
      <search className="row" key={isFiltered ? "filtered" : "all"}>
        <SearchField
          label={t.messages.search}
          hint={t.messages.searchHint}
          value={filter.recipient}
          onSearch={(recipient) => change({ recipient })}
        />
        <PickField
          label={t.messages.state}
          options={t.messages.states}
          value={filter.state}
          onPick={(state) => change({ state })}
        />
        {isFiltered && (
          <Button variant="subtle" onClick={clear}>
            {t.common.clearFilters}
          </Button>
        )}
      </search>
      <ListCard
        query={query}
        empty={
          isFiltered
            ? {
                title: t.messages.emptyFiltered,
                action: (
                  <Button variant="default" onClick={clear}>
                    {t.common.clearFilters}
                  </Button>
                ),
              }
            : { title: t.messages.empty, detail: t.messages.emptyDetail }
        }
      >
        {(messages) => <MessageTable messages={messages} />}
      </ListCard>
    </>
  );
}
