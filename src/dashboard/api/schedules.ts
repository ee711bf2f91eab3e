import type { z } from "zod";
import { type schedule, schedules } from "../../../contracts/dashboard/schedules.ts";
import { call, clientOf } from "./client.ts";
import { findFirst, listQuery, pageOf } from "./pages.ts";

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

const POLL_MS = 2_000;
/** A report of some thousand domains takes minutes. The schedule shows the end of a longer run. */
const MAX_POLLS = 150;

/**
 * Mails a report once: by a schedule with the same settings if there is one, else by a new one. So a repeated request creates
 * no second schedule.
 * @returns the schedule after its run, or after five minutes
 */
export async function mailReport(workspace_id: string, body: NewSchedule): Promise<Schedule> {
  const former = await findSame(workspace_id, body);
  const { id, last_run: before } = former ?? (await createSchedule(workspace_id, body));
  let now = await runSchedule(id);
  for (let polls = 0; polls < MAX_POLLS && (now.last_run?.at ?? "") === (before?.at ?? ""); polls++) {
    await new Promise((done) => setTimeout(done, POLL_MS));
    now = await call(() => client.getSchedule({ params: { schedule_id: id } }));
  }
  return now;
}

async function findSame(workspace_id: string, body: NewSchedule): Promise<Schedule | undefined> {
  const { rows } = await findFirst(Number.POSITIVE_INFINITY, (cursor) =>
    call(() => client.listSchedules({ query: { ...pageOf(cursor, 100), workspace_id } })),
  );
  const textOf = ({ scope, cadence, recipients = [], from, paused }: NewSchedule | Schedule) =>
    JSON.stringify([scope.id, cadence, recipients.toSorted(), from, paused]);
  return rows.find((one) => textOf(one) === textOf(body));
}
