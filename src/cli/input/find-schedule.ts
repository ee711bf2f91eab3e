import type { Schedule } from "../../../gen/hermod/schedule/v1/schedule_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { allPages } from "../all-pages.ts";
import type { CommandContext } from "../core-command.ts";
import { InputError } from "./read-options.ts";

type Context = Pick<CommandContext, "core" | "account">;

/**
 * Finds a report schedule by its id, or by its name if the name is unique in the workspace.
 * @throws Fault schedule.unknown
 * @throws InputError when several have the name
 */
export async function findSchedule(context: Context, given: string, workspace: string): Promise<Schedule> {
  if (/^rsc_\w+$/.test(given)) {
    const asked = { accountId: context.account, id: given };
    const { schedule } = await context.core.schedules.getSchedule(asked);
    if (schedule) return schedule;
  }
  const { core, account } = context;
  const asked = { accountId: account, workspaceId: workspace, pageSize: 1_000 };
  const all = await allPages(
    (pageToken) => core.schedules.listSchedules({ ...asked, pageToken }),
    (page) => page.schedules,
  );
  const [found, ...others] = all.filter(({ name }) => name === given);
  if (others.length > 0)
    throw new InputError(`Several schedules have the name "${given}". Use the id of one of them.`);
  if (found) return found;
  throw fault("schedule.unknown", {
    public: say("workspace_no_schedule_id_name"),
  });
}
