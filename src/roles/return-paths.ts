import type { Config } from "../config.ts";
import { createReturnPaths, type ReturnPaths } from "../message/dsn/return-path.ts";
import type { MessageDocument } from "../store/documents.ts";
import type { Store } from "../store/store.ts";

/** The envelope sender under which a message leaves: where bounces go. What tells of bounces has none. */
export function returnPathOf(
  { _id: id, from, envelopeFrom = from }: MessageDocument,
  returnPaths: ReturnPaths | undefined,
): string {
  if (envelopeFrom === "") return "";
  return returnPaths?.encode(id) ?? envelopeFrom;
}

/** The return paths of this installation; undefined: there is no domain for them. */
export async function composeReturnPaths(
  { bounces: { domain } }: Config,
  { secrets }: Pick<Store, "secrets">,
): Promise<ReturnPaths | undefined> {
  if (domain === undefined) return undefined;
  return createReturnPaths({ domain, secret: await secrets.getOrCreate("return-path") });
}
