import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import { type LiveChanges, useLiveMessages } from "../../api/live.ts";
import {
  loadMessages,
  type MessageFilter,
  type MessagePage,
  matchCountQuery,
  messagesQuery,
} from "../../api/messages.ts";
import { unknownIn } from "../../api/page-rows.ts";
import { cursorsOf } from "../../api/pages.ts";
import type { RowWindow } from "../../parts/use-row-window.ts";
import { useThrottled } from "../../parts/use-throttled.ts";
import { withChanges, withFreshRows, withNewest } from "./live-rows.ts";

/** Minimum time between two requests that update the list. */
const REFRESH_MS = 2_000;

interface LiveListOptions {
  /** Visible rows. */
  readonly shown: RefObject<RowWindow>;
  /** Whether rows can move: the user is at the top and points at no row. */
  readonly mayMove: () => boolean;
}

/** Number of new messages that wait above the list. */
export interface WaitingMessages {
  readonly count: number;
  /** Whether there are more of them. */
  readonly isMore: boolean;
  readonly show: () => void;
}

/**
 * Updates a list of messages from the event stream. States change in place. New messages wait until the user asks for them,
 * unless no row would move under the pointer.
 */
export function useLiveList(filter: MessageFilter, { shown, mayMove }: LiveListOptions): WaitingMessages {
  const queryClient = useQueryClient();
  const { queryKey } = messagesQuery(filter);
  const [fresh, setFresh] = useState<MessagePage>();
  const loaded = () => queryClient.getQueryData(queryKey);

  function change(update: (pages: readonly MessagePage[]) => readonly MessagePage[]): void {
    const data = loaded();
    const pages = data && update(data.pages);
    if (!pages || pages === data.pages) return;
    const next = {
      pages: [...pages],
      pageParams: data.pageParams.slice(0, pages.length).map(String),
    };
    queryClient.setQueryData(queryKey, next);
  }

  function take(page: MessagePage): void {
    change((pages) => withNewest(pages, page));
    setFresh(undefined);
    void queryClient.invalidateQueries({ queryKey: matchCountQuery(filter).queryKey });
  }

  const lookForNew = useThrottled(async () => {
    if (!loaded()) return;
    const page = await loadMessages(filter, "");
    const pages = loaded()?.pages ?? [];
    if (unknownIn(pages, page.data).length === 0) {
      setFresh(undefined);
      change((all) => withFreshRows(all, page.data));
    } else if (mayMove() || pages.every(({ data }) => data.length === 0)) take(page);
    else setFresh(page);
  }, REFRESH_MS);

  const refreshShown = useThrottled(async () => {
    const data = loaded();
    if (!data) return;
    for (const cursor of cursorsOf(data, shown.current)) {
      const page = await loadMessages(filter, cursor);
      change((pages) => withFreshRows(pages, page.data));
    }
  }, REFRESH_MS);

  useLiveMessages({
    onChanges: (changes) => {
      change((pages) => withChanges(pages, changes.changes));
      if (hasNew(changes)) lookForNew();
      refreshShown();
    },
    onGap: () => {
      lookForNew();
      refreshShown();
    },
  });

  // A list that was loaded for an earlier visit can be outdated.
  const begin = useRef(() => {
    lookForNew();
    refreshShown();
  });
  const isOld = useRef(loaded() !== undefined);
  useEffect(() => {
    if (isOld.current) begin.current();
  }, []);

  const unknown = fresh ? unknownIn(loaded()?.pages ?? [], fresh.data).length : 0;
  return {
    count: unknown,
    isMore: fresh !== undefined && unknown === fresh.data.length && fresh.has_more,
    show: () => fresh && take(fresh),
  };
}

const hasNew = ({ counts }: LiveChanges) =>
  counts.some(({ kind }) => kind === "accepted" || kind === "scheduled" || kind === "resent");
