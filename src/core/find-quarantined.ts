import { fault } from "../shared/fault.ts";
import type { QuarantineDocument } from "../store/documents.ts";
import type { Store } from "../store/store.ts";
import type { MessageName } from "./find-message.ts";

/**
 * A message that is kept aside; one of another account is as unknown as one that never was.
 * @throws Fault message.unknown
 */
export async function findQuarantined(
  { quarantine }: Pick<Store, "quarantine">,
  { id, accountId }: MessageName,
): Promise<QuarantineDocument> {
  const entry = await quarantine.find(id);
  if (entry && (accountId === "" || entry.accountId === accountId)) return entry;
  throw fault("message.unknown", { public: `There is no message "${id}" in quarantine.` });
}
