import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { onCallSchedule } from "../../../contracts/common/on-call-schemas.ts";
import { oncalls } from "../../../contracts/dashboard/oncalls.ts";
import { call, clientOf } from "./client.ts";
import { findFirst, pageOf } from "./pages.ts";

const client = clientOf(oncalls);

export type Schedule = z.output<typeof onCallSchedule>;

/** An account has at most 200 schedules, in two pages. */
const MOST = 200;
const PAGE = 100;

/** All on-call schedules of the account, to choose from. */
export const scheduleChoicesQuery = queryOptions({
  queryKey: ["on-call-schedules", "choices"],
  queryFn: ({ signal }) =>
    findFirst(MOST, (cursor) =>
      call(() => client.listOnCallSchedules({ query: pageOf(cursor, PAGE), fetchOptions: { signal } })),
    ),
});
