import type { z } from "zod";
import { type schedule, schedules } from "../../../contracts/dashboard/schedules.ts";
import { call, clientOf } from "./client.ts";
import { listQuery } from "./pages.ts";

const client = clientOf(schedules);

export type Schedule = z.output<typeof schedule>;
export type NewSchedule = Parameters<typeof client.createSchedule>[0]["body"];

const ofWorkspace = (workspace_id: string | undefined) => (workspace_id ? { workspace_id } : {});

/** Schedules of a workspace, oldest first. */
export const schedulesQuery = (workspace_id: string | undefined) =>
  listQuery(["intel", "schedules", workspace_id], 50, ({ query, fetchOptions }) =>
    call(() => client.listSchedules({ query: { ...query, ...ofWorkspace(workspace_id) }, fetchOptions })),
  );

export const createSchedule = (workspace_id: string | undefined, body: NewSchedule) =>
  call(() => client.createSchedule({ query: ofWorkspace(workspace_id), body }));

/** The server refuses it if the schedule has another revision. */
export const updateSchedule = (
  { id, revision }: Pick<Schedule, "id" | "revision">,
  body: NewSchedule,
  paused: boolean,
) =>
  call(() =>
    client.updateSchedule({ params: { schedule_id: id }, body: { ...body, paused, if_revision: revision } }),
  );

export const deleteSchedule = ({ id, revision }: Pick<Schedule, "id" | "revision">) =>
  call(() => client.deleteSchedule({ params: { schedule_id: id }, query: { if_revision: revision } }));

/** Creates and mails a report of the last complete period now. */
export const runSchedule = (schedule_id: string) =>
  call(() => client.runSchedule({ params: { schedule_id } }));
