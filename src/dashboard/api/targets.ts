import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { target } from "../../../contracts/common/target-schemas.ts";
import { targets } from "../../../contracts/dashboard/targets.ts";
import { call, clientOf } from "./client.ts";
import { findFirst, pageOf } from "./pages.ts";

const client = clientOf(targets);

export type Target = z.output<typeof target>;

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
