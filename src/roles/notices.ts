import { hostname } from "node:os";
import type { AccountSettings } from "../core/access/account-settings.ts";
import type { LoadBody } from "../delivery/queue/load-body.ts";
import { createStoreNotices, type StoreNotices } from "../notices/store-notices.ts";
import type { PartitionOf } from "../shared/partition.ts";
import type { Store } from "../store/store.ts";
import type { Process } from "./process.ts";

export interface NoticesParts {
  readonly store: Store;
  readonly settings: AccountSettings;
  readonly loadBody: LoadBody;
  readonly partitionOf: PartitionOf;
}

/** Queues notices to senders in this installation. */
export function composeNotices(
  { config, log }: Process,
  { store, settings, loadBody, partitionOf }: NoticesParts,
): StoreNotices {
  return createStoreNotices({
    store: store.acrossAccounts,
    loadBody,
    partitionOf,
    findPolicy: settings.policy,
    domain: config.bounces.dsnDomain,
    reportingMta: config.smtp.heloName ?? (hostname().includes(".") ? hostname() : undefined),
    contentRetentionMs: config.retention.contentMs,
    log,
  });
}
