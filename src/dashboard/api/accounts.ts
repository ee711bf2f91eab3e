import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { type account, accounts, type retention } from "../../../contracts/dashboard/accounts.ts";
import { call, clientOf, home } from "./client.ts";
import { askForFactor } from "./reentry.ts";
import { readCurrentSession } from "./session.ts";

const client = clientOf(accounts);

export type Account = z.output<typeof account>;
export type Retention = z.output<typeof retention>;
export type RetentionTimes = NonNullable<NonNullable<Parameters<typeof client.changeRetention>[0]>["body"]>;

/** The account of the session. */
export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: ({ signal }) => call(() => client.getAccount({ fetchOptions: { signal } })),
});

/** Retention times of the account. */
export const retentionQuery = queryOptions({
  queryKey: ["retention"],
  queryFn: ({ signal }) => call(() => client.getRetention({ fetchOptions: { signal } })),
});

export const renameAccount = ({ revision }: Account, name: string) =>
  call(() => client.renameAccount({ body: { name, if_revision: revision } }));
export const requireSecondFactor = ({ revision }: Account, required: boolean) =>
  call(() => client.requireSecondFactor({ body: { required, if_revision: revision } }));
export const changeRetention = (body: RetentionTimes) => call(() => client.changeRetention({ body }));
export const deleteAccount = () => call(() => client.deleteAccount({}));

/** The server requires a factor of the last ten minutes. The rest is for the time until the request arrives. */
const RECENT_MS = 9 * 60_000;

/**
 * Has the browser save the account as a file. The browser sends this request itself and cannot show a factor, so that the page
 * asks for it before.
 * @returns false if the user showed no factor
 */
export async function exportAccount(bodies: boolean): Promise<boolean> {
  const { session } = await readCurrentSession();
  const isRecent = Date.now() - new Date(session.authenticated_at).getTime() < RECENT_MS;
  if (!isRecent && !(await askForFactor())) return false;
  const link = document.createElement("a");
  link.href = `${home}/api/account/export${bodies ? "?bodies=true" : ""}`;
  link.download = "account.ndjson";
  link.click();
  return true;
}
