import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ScheduleSettingsSchema } from "../../gen/hermod/schedule/v1/schedule_service_pb.ts";
import type { IntelReportDocument } from "../../src/store/intel-documents.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import type { ScheduleDocument } from "../../src/store/schedule-documents.ts";
import { allowSending } from "./finished-message.ts";
import type { Identity } from "./identity.ts";

type AskedSettings = Omit<
  Exclude<MessageInitShape<typeof ScheduleSettingsSchema>, { readonly $typeName: string }>,
  "$typeName" | "$unknown"
>;

const MINUTE_MS = 60_000;
let counter = 0;

/** Opens an account with a client, a checked domain, and report schedules. */
export async function openScheduleAccount(identity: Identity) {
  const { operator, db, store, time } = identity;
  const { account } = await operator.accounts.createAccount({ name: "Acme" });
  const accountId = account?.id ?? "";
  await allowSending(identity, accountId);
  const contactEmails = ["it@client.example", "boss@client.example"];
  const settings = { name: "Nordwind AG", contactEmails, locale: "en-GB", timezone: "Europe/Berlin" };
  const { client } = await operator.workspaces.createClient({ accountId, settings });
  const clientId = client?.id ?? "";
  const name = `n${counter++}.example`;
  const { domain } = await operator.watches.addWatchedDomain({ accountId, clientId, name });
  const domainId = domain?.id ?? "";
  const documents = () => db.collection<ScheduleDocument>("reportSchedules");

  const said: AskedSettings = {
    name: "Weekly report",
    scope: { type: "client", id: clientId },
    cadence: "weekly",
    format: "html",
    from: "Acme Agency <reports@example.com>",
  };

  async function create(changes: AskedSettings = {}): Promise<string> {
    const asked = { accountId, settings: { ...said, ...changes } };
    return (await operator.schedules.createSchedule(asked)).schedule?.id ?? "";
  }

  return {
    accountId,
    clientId,
    domainId,
    name,
    said,
    create,
    settings,
    workspaceId: client?.workspaceId ?? "",
    find: async (id: string) => (await operator.schedules.getSchedule({ accountId, id })).schedule,
    update: async (id: string, changes: AskedSettings) =>
      operator.schedules.updateSchedule({ accountId, id, settings: { ...said, ...changes } }),
    ask: async (id: string) => operator.schedules.runSchedule({ accountId, id }),
    document: (id: string) => documents().findOne({ _id: id }),
    /** Lets time pass until this moment, and until work that is due then has certainly begun. */
    reach: (moment: string) => time.pass(Date.parse(moment) + 5 * MINUTE_MS - time.clock.now().getTime()),
    pass: (minutes: number) => time.pass(minutes * MINUTE_MS),
    mails: () =>
      db
        .collection<MessageDocument>("messages")
        .find({ accountId, source: "report" })
        .sort({ _id: 1 })
        .toArray(),
    bodyOf: async ({ contentId }: MessageDocument) => {
      const body = await store.forAccount(accountId).contents.load(contentId);
      if (body?.kind !== "composed") throw new Error("The mail has no body.");
      return body.content;
    },
    reports: () =>
      db
        .collection<IntelReportDocument>("intelReports")
        .find({ accountId })
        .sort({ generatedAt: 1 })
        .toArray(),
  };
}

export type ScheduleAccount = Awaited<ReturnType<typeof openScheduleAccount>>;
