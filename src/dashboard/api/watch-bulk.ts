import { queryOptions } from "@tanstack/react-query";
import { watches } from "../../../contracts/dashboard/watches.ts";
import { call, clientOf } from "./client.ts";
import type { WatchFilter } from "./watches.ts";

const client = clientOf(watches);

/** Domains by id, or those that match a filter. */
export type WatchSelection = { readonly ids: readonly string[] } | { readonly filter: WatchFilter };

/** An action with its values. */
export type WatchChange =
  | { readonly action: "pause" | "resume" | "remove" }
  | { readonly action: "move"; readonly client_id: string }
  | { readonly action: "tag" | "untag"; readonly tags: readonly string[] }
  | { readonly action: "note"; readonly notes: string }
  | { readonly action: "mute"; readonly check_id: string; readonly until: string; readonly reason?: string }
  | { readonly action: "unmute"; readonly check_id: string };

/** An action on many domains of a workspace. */
export type WatchBulk = WatchChange & {
  readonly selection: WatchSelection;
  readonly workspace_id?: string | undefined;
};

/** The bulk action in the form of the API, which has no order of domains. */
function bodyOf({ selection, ...others }: WatchBulk) {
  if ("ids" in selection) return { ...others, ids: [...selection.ids] };
  const { sort: _, workspace_id: __, ...filter } = selection.filter;
  return { ...others, filter };
}

const change = (body: object, signal?: AbortSignal) =>
  call(() =>
    client.changeWatchedDomains({ body: body as never, ...(signal && { fetchOptions: { signal } }) }),
  );

/** The number of domains of a bulk action, and some of them. Nothing is changed. */
export const watchCountQuery = (bulk: WatchBulk) =>
  queryOptions({
    queryKey: ["watch-bulk-count", bulk],
    queryFn: async ({ signal }) => {
      const answer = await change(bodyOf(bulk), signal);
      if (!("count" in answer)) throw new Error("A count was answered with a job.");
      const { count, sample, confirmation } = answer;
      return { actionable: count, sample: sample.map((name) => ({ id: name })), confirmation };
    },
    // A confirmation is valid for one view of the dialog.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** @param confirmation of the count; the same one starts only one job */
export const beginWatchBulk = (bulk: WatchBulk, confirmation: string) =>
  change({ ...bodyOf(bulk), confirmation });
