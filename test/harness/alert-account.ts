import type { JsonValue, MessageInitShape } from "@bufbuild/protobuf";
import { fromJson } from "@bufbuild/protobuf";
import { timestampFromDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import { type ParsedMail, simpleParser } from "mailparser";
import type { AlertSchema } from "../../gen/hermod/alert/v1/alert_service_pb.ts";
import type { Condition } from "../../src/alerts/condition.ts";
import { createAlertEngine } from "../../src/core/alerts/create-alert-engine.ts";
import type { MailOnce } from "../../src/core/send/mail-once.ts";
import { prepareMail } from "../../src/delivery/prepare-mail.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { allowSending } from "./finished-message.ts";
import type { Identity } from "./identity.ts";

export type GivenAlert = MessageInitShape<typeof AlertSchema>;

const NOTIFY = { recipients: ["ops@example.net"], from: "Alerts <alerts@example.com>" };
const DAY_MS = 86_400_000;

/** Conditions in the form in which they are sent. */
export const conditions = (...all: readonly (readonly [string, string, Condition["value"]])[]) =>
  all.map(([field, op, value]) => ({ field, op, value: fromJson(ValueSchema, value as JsonValue) }));

/**
 * Opens an account that sends alerts as `example.com` with its own key, and collects everything stored, submitted
 * and mailed.
 */
export async function openAlertAccount(identity: Identity) {
  const { operator, frontEnd, db, store, time } = identity;
  // Ids contain the time and sort by it.
  time.pass(1);
  const { account } = await operator.accounts.createAccount({ name: "Acme" });
  const accountId = account?.id ?? "";
  await allowSending(identity, accountId);
  const { secret: apiKey } = await operator.keys.createKey({ accountId, name: "monitor" });

  const mails = () =>
    db
      .collection<MessageDocument>("messages")
      .find({ accountId, source: "alert" })
      .sort({ _id: 1 })
      .toArray();

  /** Message as sent over the wire, composed by the delivery code. */
  async function sourceOf(message: MessageDocument): Promise<string> {
    const account = store.forAccount(accountId);
    const policy = await account.policies.find(message.policy);
    const body = await account.contents.load(message.contentId);
    if (!policy || !body || body.kind === "unreadable") throw new Error("There is no such mail.");
    const prepared = await prepareMail(message, policy, body, {
      findSigners: async () => [],
      returnPathOf: () => "",
      maxHops: 10,
      clock: time.clock,
      unsubscribeUrl: () => "https://mail.example.com/leave",
      trackHtml: () => {
        throw new Error("Mail of alerts is not tracked.");
      },
    });
    const mail = "kind" in prepared ? prepared : await prepared.mailFor({ kind: "sandbox" });
    if ("kind" in mail) throw new Error(`It cannot be sent: ${mail.reply.detail}`);
    return mail.source.toString("latin1");
  }

  return {
    accountId,
    mails,
    sourceOf,
    /** All mail, as parsed by the recipients' programs. */
    parsed: async (): Promise<ParsedMail[]> =>
      Promise.all(
        (await mails()).map(async (mail) => simpleParser(Buffer.from(await sourceOf(mail), "latin1"))),
      ),
    check: () => identity.alertEngine.check(),
    later: (ms: number) => timestampFromDate(new Date(time.clock.now().getTime() + ms)),
    putRule: (notify: object = {}, settings: object = {}) =>
      operator.rules.putRule({
        accountId,
        settings: { name: "pager", ...settings, notify: { ...NOTIFY, ...notify } },
      }),
    ingest: (given: GivenAlert = {}) => {
      const alert = { eventType: "disk.full", severity: "critical", source: "node", message: "/var is full" };
      return frontEnd.alerts.ingestAlert({ apiKey, idempotencyKey: "", alert: { ...alert, ...given } });
    },
    /** Engine of another process, as after a restart. The test determines whether its mail fails. */
    engine: (mailAlert: MailOnce) =>
      createAlertEngine({
        store,
        clock: time.clock,
        log: createLogger("silent"),
        mailAlert,
        linkOf: () => undefined,
        keptMs: DAY_MS,
      }),
    /** All incidents: a page has 50, and incidents of the same moment have no particular order. */
    incidents: async () => {
      const found = [];
      let pageToken = "";
      do {
        const page = await operator.incidents.listIncidents({ accountId, pageToken });
        found.push(...page.incidents);
        pageToken = page.nextPageToken;
      } while (pageToken !== "");
      return found;
    },
  };
}
export type AlertAccount = Awaited<ReturnType<typeof openAlertAccount>>;
