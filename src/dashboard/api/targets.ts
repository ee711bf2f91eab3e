import { queryOptions } from "@tanstack/react-query";
import { targets } from "../../../contracts/dashboard/targets.ts";
import { call, clientOf } from "./client.ts";
import { findFirst, pageOf } from "./pages.ts";

const client = clientOf(targets);

/** An account has at most 100 targets. */
const MOST = 100;

/** All alert targets of the account, to choose from. */
export const targetChoicesQuery = queryOptions({
  queryKey: ["alert-targets", "choices"],
  queryFn: ({ signal }) =>
    findFirst(MOST, (cursor) =>
      call(() => client.listTargets({ query: pageOf(cursor, MOST), fetchOptions: { signal } })),
    ),
});
