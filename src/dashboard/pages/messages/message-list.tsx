import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import type { Message, MessageFilter, MessagePage } from "../../api/messages.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useRowKeys } from "../../parts/use-row-keys.ts";
import type { RowWindow } from "../../parts/use-row-window.ts";
import { rowsOfPages, VirtualTable } from "../../parts/virtual-table.tsx";
import { t } from "../../texts/texts.ts";
import { SelectedActions } from "./bulk-actions.tsx";
import { allColumns } from "./columns.tsx";
import { useLiveList } from "./use-live-list.ts";
import { useSelection } from "./use-selection.ts";
import type { Density } from "./view-menu.tsx";

const heights: Readonly<Record<Density, number>> = { comfortable: 44, compact: 34 };
const NARROW_HEIGHT = 68;
/** Number of rows before the end of the loaded rows at which more are requested. */
const AHEAD = 40;

interface MessageListProps {
  readonly filter: MessageFilter;
  readonly query: UseInfiniteQueryResult<InfiniteData<MessagePage>>;
  readonly pages: readonly MessagePage[];
  readonly columns: readonly string[];
  readonly density: Density;
  /** Removes all filters. */
  readonly onClear: () => void;
}

/** The rows of the list: unlimited, live, selectable, usable by keyboard. */
export function MessageList({ filter, query, pages, columns, density, onClear }: MessageListProps) {
  const may = useMay();
  const list = useRef<HTMLTableSectionElement>(null);
  const shown = useRef<RowWindow>({ first: 0, last: 0 });
  const isNarrow = useMediaQuery("(max-width: 1140px)", false, { getInitialValueInEffect: false });
  const rows = useMemo(() => rowsOfPages(pages), [pages]);
  const selection = useSelection(rows);
  const rowHeight = isNarrow ? NARROW_HEIGHT : heights[density];
  const chosen = useMemo(() => allColumns.filter(({ id }) => columns.includes(id)), [columns]);
  const waiting = useLiveList(filter, {
    shown,
    mayMove: () =>
      window.scrollY === 0 &&
      selection.keys.size === 0 &&
      !list.current?.matches(":hover") &&
      !list.current?.contains(document.activeElement),
  });
  useRowKeys({
    list,
    count: rows.count,
    rowHeight,
    onSelect: (index) => {
      for (const { id } of rows.slice(index, index + 1)) selection.toggle(id);
    },
    onEscape: selection.clear,
  });

  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const loadAhead = () => {
    const isNear = shown.current.last > rows.count - AHEAD;
    if (isNear && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  };
  useEffect(loadAhead);

  if (rows.count === 0 && !hasNextPage)
    return <NoMessages isFiltered={Object.keys(filter).length > 0} onClear={onClear} />;
  return (
    <>
      {waiting.count > 0 && (
        <div className="newer">
          <Button
            size="xs"
            onClick={() => {
              waiting.show();
              window.scrollTo({ top: 0 });
            }}
          >
            {waiting.isMore ? t.messages.manyNewer(waiting.count) : t.messages.newer(waiting.count)}
          </Button>
        </div>
      )}
      <VirtualTable
        label={t.messages.title}
        columns={chosen}
        rows={rows}
        rowKey={idOf}
        selectLabel={selectLabel}
        selectAllLabel={t.messages.selectLoaded}
        selection={selection}
        rowHeight={rowHeight}
        list={list}
        onWindow={(rowsInSight) => {
          shown.current = rowsInSight;
          loadAhead();
        }}
      />
      <div className="spread foot">
        <span className="faint">
          {isFetchingNextPage && t.messages.loading}
          {!isFetchingNextPage &&
            (hasNextPage ? t.messages.loaded(rows.count) : t.messages.loadedAll(rows.count))}
        </span>
        <span className="faint wide-only">{t.messages.keys}</span>
      </div>
      {isFetchNextPageError && (
        <div className="stack small-gap foot">
          <FormFault error={query.error} />
          <Button variant="default" onClick={() => void fetchNextPage()}>
            {t.common.retry}
          </Button>
        </div>
      )}
      <SelectedActions ids={selection.keys} mayChange={may("messages.write")} onClear={selection.clear} />
    </>
  );
}

const idOf = ({ id }: Message) => id;
const selectLabel = ({ recipient }: Message) => t.messages.select(recipient);

function NoMessages({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  return (
    <div className="notice">
      <strong>{isFiltered ? t.messages.emptyFiltered : t.messages.empty}</strong>
      {isFiltered ? (
        <Button variant="default" onClick={onClear}>
          {t.common.clearFilters}
        </Button>
      ) : (
        <p className="muted">{t.messages.emptyDetail}</p>
      )}
    </div>
  );
}
