import {
  type ScheduleSettings as Asked,
  ScheduleService,
} from "../../../gen/hermod/schedule/v1/schedule_service_pb.ts";
import { createReportCalendar } from "../../intel/reports/report-calendar.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { NeededResources } from "../../store/needed-resources.ts";
import type { ScheduleDocument, ScheduleSettings, ScheduleWork } from "../../store/schedule-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { pageOf, pageSizeOf } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { readSchedule } from "./read-schedule.ts";
import { resolveWorkspace } from "./resolve-workspace.ts";
import { findScheduleClient } from "./schedule-client.ts";
import { toSchedule } from "./schedule-to-proto.ts";

const READ = permitted("intel.read");
const WRITE = permitted("intel.write");

type Needs = Pick<Dependencies, "store" | "intel" | "settings" | "verifySender" | "clock">;

/** Schedules that generate and send reports; `run-schedules.ts` runs them. */
export const schedules: Area<Needs> = defineArea(ScheduleService, {
  /** @throws Fault account.unknown, workspace.unknown, request.validation_failed, cursor.invalid */
  listSchedules: [
    READ,
    READS,
    (needs) => {
      const { intel, clock } = needs;
      return async (request, { audit }) => {
        const { account, workspaceId } = await resolveWorkspace(needs, request, audit);
        const question = { list: "schedules", workspaceId };
        const limit = pageSizeOf(request.pageSize);
        const after = intel.cursors.read(question, request.pageToken)?.id;
        const found = await account.schedules.list(workspaceId, { after, limit: limit + 1 });
        const { entries, nextPageToken } = pageOf(found, limit, ({ _id: id }) =>
          intel.cursors.write(question, { rank: "", id }),
        );
        return { schedules: entries.map((one) => toSchedule(one, clock.now())), nextPageToken };
      };
    },
  ],
  /** @throws Fault account.unknown, schedule.unknown */
  getSchedule: [
    READ,
    READS,
    ({ store, clock }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        return answer(await account.schedules.find(request.id), clock.now());
      },
  ],
  /**
   * @throws Fault account.unknown, workspace.unknown, request.validation_failed, client.unknown, client.archived,
   *   watched_domain.unknown, sender.unverified, schedule.too_many
   */
  createSchedule: [
    WRITE,
    changes("schedule.create"),
    (needs) => {
      const { clock } = needs;
      return async (request, { audit }) => {
        const { account, workspaceId } = await resolveWorkspace(needs, request, audit);
        const { settings, needed } = await readSettings(needs, account, workspaceId, request.settings);
        const next = nextOf(settings, undefined, clock.now());
        return answer(await account.schedules.add(workspaceId, settings, next, audit, needed), clock.now());
      };
    },
  ],
  /** @throws Fault account.unknown, schedule.unknown, resource.stale, and the faults of createSchedule */
  updateSchedule: [
    WRITE,
    changes("schedule.update", "id"),
    (needs) => {
      const { store, clock } = needs;
      return async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const found = await account.schedules.find(request.id);
        if (!found) throw fault("schedule.unknown");
        const { settings, needed } = await readSettings(
          needs,
          account,
          found.workspaceId,
          request.settings,
          found,
        );
        const nextAfter = ({ lastKey }: ScheduleDocument) => nextOf(settings, lastKey, clock.now());
        const { id, ifRevision } = request;
        const updated = await account.schedules.update(id, settings, nextAfter, audit, needed, ifRevision);
        return answer(updated, clock.now());
      };
    },
  ],
  /** @throws Fault account.unknown, schedule.unknown, resource.stale */
  deleteSchedule: [
    WRITE,
    changes("schedule.delete", "id"),
    ({ store }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const { id, ifRevision } = request;
        if (!(await account.schedules.remove(id, audit, ifRevision))) throw fault("schedule.unknown");
        return {};
      },
  ],
  /** @throws Fault account.unknown, schedule.unknown */
  runSchedule: [
    WRITE,
    changes("schedule.run", "id"),
    ({ store, clock }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const found = await account.schedules.find(request.id);
        if (!found) throw fault("schedule.unknown");
        const since = clock.now();
        const work: ScheduleWork = {
          key: `asked ${since.toISOString()}`,
          trigger: "asked",
          since,
          attempts: 0,
          interruptions: 0,
          period: createReportCalendar(found).lastPeriod(since),
        };
        return answer(await account.schedules.ask(request.id, work, audit), since);
      },
  ],
});

function answer(schedule: ScheduleDocument | null, now: Date) {
  if (!schedule) throw fault("schedule.unknown");
  return { schedule: toSchedule(schedule, now) };
}

/** Runs that were missed during a pause, or under former settings, are skipped. undefined: the schedule is paused. */
function nextOf(settings: ScheduleSettings, lastKey: string | undefined, now: Date): Date | undefined {
  return settings.paused ? undefined : createReportCalendar(settings).next(now, lastKey).at;
}

/**
 * Validates the settings of a schedule with the account's data.
 * @param before former settings: a schedule with an archived client or an unverified sender can still be paused
 */
async function readSettings(
  { settings: accountSettings, verifySender }: Pick<Needs, "settings" | "verifySender">,
  account: AccountStore,
  workspaceId: string,
  asked: Asked | undefined,
  before?: ScheduleDocument,
): Promise<{ readonly settings: ScheduleSettings; readonly needed: NeededResources }> {
  const { senderAddress, timezone, ...read } = readSchedule(asked);
  const { type, id } = read.scope;
  const scope = { type, id: type === "workspace" ? id || workspaceId : id };
  if (before && read.paused)
    return { settings: { ...read, scope, timezone: timezone ?? before.timezone }, needed: {} };
  const client = await findScheduleClient(account, { workspaceId, scope });
  if (!(await accountSettings.policy(account.id, read.policy))) {
    const message =
      read.policy === undefined ? say("no_default_policy_name_one") : say("no_policy", { name: read.policy });
    throw validationFault([{ pointer: "/routing_policy", code: "policy.unknown", message }]);
  }
  await verifySender(senderAddress, { accountId: account.id, senders: [] });
  return {
    settings: { ...read, scope, timezone: timezone ?? client?.timezone ?? "UTC" },
    needed: {
      policy: read.policy === undefined ? undefined : { name: read.policy, pointer: "/routing_policy" },
      sender: senderAddress,
      client: client?._id,
      watch: type === "domain" ? id : undefined,
    },
  };
}
