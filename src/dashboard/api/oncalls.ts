import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type {
  onCallOverride,
  onCallSchedule,
  onCallShift,
  onCallState,
} from "../../../contracts/common/on-call-schemas.ts";
import { oncalls } from "../../../contracts/dashboard/oncalls.ts";
import { call, clientOf } from "./client.ts";
import { findFirst, listQuery, pageOf } from "./pages.ts";
import { pollEvery } from "./polling.ts";

const client = clientOf(oncalls);

export type Schedule = z.output<typeof onCallSchedule>;
/** The settings of a schedule, as a change sends them. */
export type ScheduleContent = Omit<Schedule["settings"], "name">;
export type Layer = ScheduleContent["layers"][number];
export type Participant = Layer["participants"][number];
/** Time in which the same person is on call for the same reason. */
export type Shift = z.output<typeof onCallShift>;
/** A participant with its present address. */
export type Person = NonNullable<Shift["person"]>;

/** The people on call now and next. */
export type OnCall = z.output<typeof onCallState>;

export type Override = z.output<typeof onCallOverride>;
export type NewOverride = Parameters<typeof client.addOnCallOverride>[0]["body"];
export type Swap = Parameters<typeof client.swapOnCallShifts>[0]["body"];

/** An account has at most 200 schedules, in two pages. */
const MOST = 200;
const PAGE = 100;
/** Time alone changes the person on call. */
const POLL_MS = 60_000;
/** Shifts of one hour in the longest range that the server lists. */
const MOST_SHIFTS = 2_400;

/** All on-call schedules of the account, by name. */
export const scheduleChoicesQuery = queryOptions({
  queryKey: ["on-call-schedules", "choices"],
  queryFn: ({ signal }) =>
    findFirst(MOST, (cursor) =>
      call(() => client.listOnCallSchedules({ query: pageOf(cursor, PAGE), fetchOptions: { signal } })),
    ),
});

export const scheduleQuery = (name: string) =>
  queryOptions({
    queryKey: ["on-call-schedules", "one", name],
    queryFn: ({ signal }) =>
      call(() => client.getOnCallSchedule({ params: { name }, fetchOptions: { signal } })),
  });

interface Range {
  /** ISO 8601. */
  readonly from: string;
  /** Exclusive. */
  readonly until: string;
}

/** The people on call now and next in all schedules, with the next times of a member. */
export const onCallQuery = (user_id: string) =>
  queryOptions({
    queryKey: ["on-call-schedules", "now"],
    queryFn: ({ signal }) =>
      findFirst(MOST, (cursor) =>
        call(() =>
          client.listOnCall({ query: { user_id, ...pageOf(cursor, PAGE) }, fetchOptions: { signal } }),
        ),
      ),
    refetchInterval: pollEvery(POLL_MS),
  });

/** The people on call now and next in one schedule. */
export const onCallOfQuery = (name: string) =>
  queryOptions({
    queryKey: ["on-call-schedules", "now", name],
    queryFn: async ({ signal }) => {
      const { data } = await call(() => client.listOnCall({ query: { name }, fetchOptions: { signal } }));
      return data[0] ?? null;
    },
    refetchInterval: pollEvery(POLL_MS),
  });

/** Shifts of a range. Until the next answer, the former one stays. */
export const shiftsQuery = (name: string, range: Range) =>
  queryOptions({
    queryKey: ["on-call-schedules", "shifts", name, range],
    queryFn: ({ signal }) =>
      findFirst(MOST_SHIFTS, (cursor) =>
        call(() =>
          client.listOnCallShifts({
            params: { name },
            query: { ...range, ...pageOf(cursor, PAGE) },
            fetchOptions: { signal },
          }),
        ),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: pollEvery(POLL_MS),
  });

/** Creates or replaces a schedule. @param if_revision `none` for a new one */
export const putSchedule = (name: string, if_revision: string, content: ScheduleContent) =>
  call(() => client.putOnCallSchedule({ params: { name }, body: { ...content, if_revision } }));

export const deleteSchedule = (name: string, if_revision: string) =>
  call(() => client.deleteOnCallSchedule({ params: { name }, query: { if_revision } }));

/** Overrides of a schedule, newest first. Ended ones stay for 90 days. */
export const overridesQuery = (name: string) => ({
  ...listQuery(["on-call-schedules", "overrides", name], 50, ({ query, fetchOptions }) =>
    call(() => client.listOnCallOverrides({ params: { name }, query, fetchOptions })),
  ),
  refetchInterval: pollEvery(POLL_MS),
});

export const addOverride = (name: string, body: NewOverride) =>
  call(() => client.addOnCallOverride({ params: { name }, body }));

/** Removes an override that has not begun, and ends one that has. */
export const removeOverride = (name: string, override_id: string) =>
  call(() => client.deleteOnCallOverride({ params: { name, override_id } }));

/** Adds one override for each of two shifts, with the participant of the other one. */
export const swapShifts = (name: string, body: Swap) =>
  call(() => client.swapOnCallShifts({ params: { name }, body }));

/** Versions of a schedule, newest first. */
export const scheduleVersionsQuery = (name: string) =>
  listQuery(["on-call-schedules", "versions", name], 50, ({ query, fetchOptions }) =>
    call(() => client.listOnCallScheduleVersions({ params: { name }, query, fetchOptions })),
  );

/** A version with its settings. */
export const scheduleVersionQuery = (name: string, version: number) =>
  queryOptions({
    queryKey: ["on-call-schedules", "version", name, version],
    queryFn: ({ signal }) =>
      call(() =>
        client.getOnCallScheduleVersion({
          params: { name, version: String(version) },
          fetchOptions: { signal },
        }),
      ),
  });

/** The fields that differ between two versions. */
export const scheduleDifferenceQuery = (name: string, before: number, after: number) =>
  queryOptions({
    queryKey: ["on-call-schedules", "difference", name, before, after],
    queryFn: ({ signal }) =>
      call(() =>
        client.compareOnCallScheduleVersions({
          params: { name },
          query: { before: String(before), after: String(after) },
          fetchOptions: { signal },
        }),
      ),
  });

export const restoreSchedule = (name: string, if_revision: string, version: number) =>
  call(() => client.restoreOnCallSchedule({ params: { name }, body: { if_revision, version } }));
