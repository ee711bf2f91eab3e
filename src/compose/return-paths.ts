import type { Config } from "../config.ts";
import { createReturnPaths, type ReturnPaths } from "../message/bounces/return-path.ts";
import type { Store } from "../store/store.ts";

/** The return paths of this installation; undefined: there is no domain for them. */
export async function composeReturnPaths(
  { HERMOD_BOUNCE_DOMAIN: domain }: Config,
  { secrets }: Pick<Store, "secrets">,
): Promise<ReturnPaths | undefined> {
  if (domain === undefined) return undefined;
  return createReturnPaths({ domain, secret: await secrets.getOrCreate("return-path") });
}
