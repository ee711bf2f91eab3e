import type { Config } from "../config.ts";
import type { AccountSettings } from "../core/access/account-settings.ts";
import { domainOf } from "../message/address/addresses.ts";
import { createReportAddresses, type ReportAddresses } from "../message/dsn/report-address.ts";
import { createReturnPaths, type ReturnPaths } from "../message/dsn/return-path.ts";
import type { MessageDocument } from "../store/message-documents.ts";
import type { Store } from "../store/store.ts";

/**
 * Envelope sender of messages: the address of bounces, below the sender's own domain if that has an alias for it. Notices have
 * none.
 */
export function createReturnPathOf(
  returnPaths: ReturnPaths | undefined,
  settings: Pick<AccountSettings, "returnPathDomain">,
  { bounces: { domain } }: Pick<Config, "bounces">,
) {
  return async ({
    _id: id,
    accountId,
    from,
    envelopeFrom = from,
  }: Pick<MessageDocument, "_id" | "accountId" | "from" | "envelopeFrom">): Promise<string> => {
    if (envelopeFrom === "" || !returnPaths || domain === undefined) return envelopeFrom;
    return returnPaths.encode(id, await settings.returnPathDomain(accountId, domainOf(from), domain));
  };
}

/** Return paths of this installation; undefined: no bounce domain. */
export async function composeReturnPaths(
  { bounces: { domain } }: Config,
  { secrets }: Pick<Store, "secrets">,
): Promise<ReturnPaths | undefined> {
  if (domain === undefined) return undefined;
  return createReturnPaths({ domain, secret: await secrets.getOrCreate("return-path") });
}

/** Addresses for aggregate reports on watched domains, in the same domain; undefined: none. */
export async function composeReportAddresses(
  { bounces: { domain } }: Pick<Config, "bounces">,
  { secrets }: Pick<Store, "secrets">,
): Promise<ReportAddresses | undefined> {
  if (domain === undefined) return undefined;
  return createReportAddresses({ domain, secret: await secrets.getOrCreate("report-address") });
}
