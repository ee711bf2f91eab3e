import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { target, targetDelivery } from "../../../contracts/common/target-schemas.ts";
import { targets } from "../../../contracts/dashboard/targets.ts";
import { call, clientOf } from "./client.ts";
import { findFirst, listQuery, pageOf } from "./pages.ts";
import { pollEvery } from "./polling.ts";

const client = clientOf(targets);

export type Target = z.output<typeof target>;
export type TargetDelivery = z.output<typeof targetDelivery>;
/** A new target, or one with a new secret. It exists only in the state of a component. */
export type RevealedTarget = Awaited<ReturnType<typeof createTarget>>;
export type TargetTest = Awaited<ReturnType<typeof testTarget>>;
export type NewTarget = Parameters<typeof client.createTarget>[0]["body"];
export type TargetReplacement = NonNullable<NonNullable<Parameters<typeof client.replaceTarget>[0]>["body"]>;

/** An account has at most 100 targets. */
const MOST = 100;
/** The event stream does not report notices to targets. */
const POLL_MS = 15_000;
const PENDING_POLL_MS = 3_000;

/** All alert targets of the account, to choose from. */
export const targetChoicesQuery = queryOptions({
  queryKey: ["alert-targets", "choices"],
  queryFn: ({ signal }) =>
    findFirst(MOST, (cursor) =>
      call(() => client.listTargets({ query: pageOf(cursor, MOST), fetchOptions: { signal } })),
    ),
});

/** Targets in the order of their creation. One page has all of them. */
export const targetsQuery = {
  ...listQuery(["alert-targets", "list"], MOST, ({ query, fetchOptions }) =>
    call(() => client.listTargets({ query, fetchOptions })),
  ),
  refetchInterval: pollEvery(POLL_MS),
};

export const targetQuery = (target_id: string) =>
  queryOptions({
    queryKey: ["alert-targets", "one", target_id],
    queryFn: ({ signal }) =>
      call(() => client.getTarget({ params: { target_id }, fetchOptions: { signal } })),
    refetchInterval: pollEvery(PENDING_POLL_MS),
  });

/** Notices to a target, newest first. */
export const targetDeliveriesQuery = (target_id: string) => ({
  ...listQuery(["alert-targets", "deliveries", target_id], 25, ({ query, fetchOptions }) =>
    call(() => client.listTargetDeliveries({ params: { target_id }, query, fetchOptions })),
  ),
  refetchInterval: pollEvery(PENDING_POLL_MS),
});

export const createTarget = (body: NewTarget) => call(() => client.createTarget({ body }));

/** Replaces all settings. The server refuses it if the target has another revision. */
export const replaceTarget = (target_id: string, body: TargetReplacement) =>
  call(() => client.replaceTarget({ params: { target_id }, body }));

/** Sends a sample. @returns the answer of the target */
export const testTarget = (target_id: string) => call(() => client.testTarget({ params: { target_id } }));

/** @param overlapSeconds how long the former secret still signs */
export const rotateTargetSecret = (target_id: string, overlapSeconds: number) =>
  call(() => client.rotateTargetSecret({ params: { target_id }, body: { overlap_seconds: overlapSeconds } }));

export const deleteTarget = (target_id: string, if_revision: string, isForced: boolean) =>
  call(() =>
    client.deleteTarget({
      params: { target_id },
      query: { if_revision, ...(isForced && { force: "true" as const }) },
    }),
  );
