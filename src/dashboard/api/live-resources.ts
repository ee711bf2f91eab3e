import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { z } from "zod";
import type { liveResources } from "../../../contracts/dashboard/live.ts";
import { useThrottled } from "../parts/use-throttled.ts";
import { useLiveEvents } from "./live.ts";

export type LiveResources = z.output<typeof liveResources>;

/** Minimum time between two reloads of the shown data. */
const REFRESH_MS = 1_000;
/** If more resources than this have changed, all resources of their kinds are reloaded. */
const MAX_NAMED = 100;

/** The queries that show a resource. Queries that are not on the page become stale. */
const keysOf: Readonly<Record<string, (id: string) => readonly QueryKey[]>> = {
  job: (id) => [
    ["jobs", "list"],
    ["jobs", "one", id],
  ],
  domain: (id) => [
    ["domains", "list"],
    ["domains", "one", id],
  ],
  incident: (id) => [
    ["incidents", "list"],
    ["incidents", "one", id],
  ],
  heartbeat: (id) => [
    ["heartbeats", "list"],
    ["heartbeats", "one", id],
    ["heartbeats", "pings", id],
  ],
  watched_domain: (id) => [["intel", "watches", "list"], ["intel", "watches", "one", id], ...ofWatches],
  // The list of deliveries updates its rows itself.
  webhook: () => ofDeliveries,
};
const ofDeliveries: readonly QueryKey[] = [
  ["deliveries", "one"],
  ["messages", "webhooks"],
  ["webhooks", "list"],
];
/** Summaries that a check of any domain changes. */
const ofWatches: readonly QueryKey[] = [
  ["intel", "findings"],
  ["intel", "history"],
  ["intel", "changes"],
  ["intel", "offers"],
];
const roots: readonly QueryKey[] = [
  ["jobs"],
  ["domains"],
  ["incidents"],
  ["heartbeats"],
  ["intel", "watches"],
  ...ofWatches,
  ...ofDeliveries,
];

/** Reloads the shown jobs, domains, incidents, heartbeats, watched domains and deliveries when the stream reports a change. */
export function useLiveResources(): void {
  const queryClient = useQueryClient();
  const changed = useRef(new Map<string, QueryKey>());
  const refresh = useThrottled(async () => {
    const keys = [...changed.current.values()];
    changed.current.clear();
    await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  }, REFRESH_MS);

  function note(keys: readonly QueryKey[]): void {
    for (const key of keys) changed.current.set(JSON.stringify(key), key);
    if (changed.current.size > MAX_NAMED)
      changed.current = new Map(roots.map((key) => [JSON.stringify(key), key]));
    refresh();
  }

  useLiveEvents((name, data) => {
    if (name === "gap") note(roots);
    if (name !== "resources") return;
    const { resources } = data as LiveResources;
    const keys = resources.flatMap(({ kind, id }) =>
      Object.hasOwn(keysOf, kind) ? (keysOf[kind]?.(id) ?? []) : [],
    );
    if (keys.length > 0) note(keys);
  });
}
