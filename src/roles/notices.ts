import { hostname } from "node:os";
import type { AccountSettings } from "../core/access/account-settings.ts";
import { createStoreNotices, type StoreNotices } from "../delivery/notices/store-notices.ts";
import type { LoadContent } from "../delivery/queue/load-content.ts";
import type { PartitionOf } from "../shared/partition.ts";
import type { Store } from "../store/store.ts";
import type { Process } from "./process.ts";

const DAY_MS = 24 * 3_600_000;

export interface NoticesParts {
  readonly store: Store;
  readonly settings: AccountSettings;
  readonly loadBody: LoadContent;
  readonly partitionOf: PartitionOf;
}

/** What senders are told goes into the queue of this installation. */
export function composeNotices(
  { config, log }: Process,
  { store, settings, loadBody, partitionOf }: NoticesParts,
): StoreNotices {
  return createStoreNotices({
    store,
    loadBody,
    partitionOf,
    findPolicy: settings.policy,
    domain: config.HERMOD_DSN_DOMAIN ?? config.HERMOD_BOUNCE_DOMAIN,
    reportingMta: config.HERMOD_HELO_NAME ?? (hostname().includes(".") ? hostname() : undefined),
    contentRetentionMs: config.HERMOD_CONTENT_RETENTION_DAYS * DAY_MS,
    log,
  });
}
