import type { MessageInitShape } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AlertSchema } from "../../gen/hermod/alert/v1/alert_service_pb.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { allowSending } from "../harness/finished-message.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

let identity: Identity;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());

async function accountWith(template: string | undefined): Promise<string> {
  const { operator } = identity;
  const { account } = await operator.accounts.createAccount({ name: "Acme" });
  const accountId = account?.id ?? "";
  await allowSending(identity, accountId);
  if (template !== undefined) {
    const { template: given } = await operator.templates.getBuiltInTemplate({ accountId, name: "alert" });
    if (!given) throw new Error("There is no built-in template.");
    await operator.templates.putTemplate({ accountId, template: { ...given, name: template } });
  }
  const notify = {
    recipients: ["ops@example.net"],
    from: "Alerts <alerts@example.com>",
    timeZone: "Europe/Berlin",
    groupBy: ["event_type"],
    ...(template !== undefined && { template }),
  };
  await operator.rules.putRule({ accountId, settings: { name: "pager", notify } });
  return accountId;
}

type Given = MessageInitShape<typeof AlertSchema>;

const ALERT: Given = {
  eventType: "disk.full",
  severity: "critical",
  source: "node",
  entityType: "host",
  entityId: "web-1",
  message: 'The disk "/var" is <97 %> full & grows',
  context: { mount: "/var", labels: { team: "storage", hosts: ["a", "b"] }, free: 0.03 },
  links: [
    { href: "https://grafana.example.com/d?x=1&y=2", text: "Graph" },
    { href: "https://wiki.example.com" },
  ],
};

const crowd = Array.from({ length: 30 }, (_, index) => ({ ...ALERT, entityId: `db-${index}` }));

/**
 * From the first notification to the last: one alert, one without entity and context, many at once, and their
 * resolution.
 */
const STEPS: readonly { readonly afterMs: number; readonly alerts: readonly Given[] }[] = [
  { afterMs: 0, alerts: [ALERT] },
  {
    afterMs: 60_000,
    alerts: [{ ...ALERT, entityId: "", entityType: "", severity: "warning", context: {}, links: [] }],
  },
  { afterMs: 300_000, alerts: [{ ...ALERT, message: "still" }, ...crowd] },
  { afterMs: 300_000, alerts: [ALERT, ...crowd].map((one) => ({ ...one, status: "resolved" })) },
  {
    afterMs: 300_000,
    alerts: [{ ...ALERT, entityId: "", entityType: "", severity: "warning", status: "resolved" }],
  },
];

/** Sent mail without the parts that differ between two incidents. */
async function mailsOf(accountId: string) {
  const messages = identity.db.collection<MessageDocument>("messages");
  const found = await messages.find({ accountId, source: "alert" }).sort({ _id: 1 }).toArray();
  const { contents } = identity.store.forAccount(accountId);
  return Promise.all(
    found.map(async ({ contentId, subject, template }) => {
      const body = await contents.load(contentId);
      if (body?.kind !== "composed") throw new Error("The mail was not composed here.");
      const { text = "", html = "" } = body.content;
      const common = (part: string) =>
        part.replace(/inc_\w+/g, "INCIDENT").replace(/\/incident\/[\w.-]+/g, "/LINK");
      return { mail: { subject, text: common(text), html: common(html) }, template };
    }),
  );
}

describe("the built-in template of alerts", () => {
  it("results in the same mail when an account stores it as its own template", async () => {
    const accounts = [await accountWith(undefined), await accountWith("my-alert")];
    for (const { afterMs, alerts } of STEPS) {
      identity.time.pass(afterMs);
      await identity.alertEngine.check();
      for (const accountId of accounts)
        for (const alert of alerts) await identity.operator.alerts.sendAlert({ accountId, alert });
    }
    identity.time.pass(300_000);
    await identity.alertEngine.check();
    const [builtIn = [], own = []] = await Promise.all(accounts.map(mailsOf));
    expect(own.map(({ mail }) => mail)).toEqual(builtIn.map(({ mail }) => mail));
    const texts = builtIn.map(({ mail }) => mail.text);
    const all = texts.join("\n");
    for (const words of ["About:", "mount: /var", "Graph: https:", "- [critical] ", " more\n", "RESOLVED"])
      expect(all).toContain(words);
    expect(builtIn.map(({ template }) => template)).toEqual(texts.map(() => undefined));
    expect(own.map(({ template }) => template)).toEqual(texts.map(() => ({ name: "my-alert", version: 1 })));
  });

  it("is returned to members who may read templates, also if the account has a template with its name", async () => {
    const accountId = await accountWith(undefined);
    const { token } = await identity.memberOf(accountId, "viewer");
    const { templates } = identity.as({ session: token });
    const { template } = await templates.getBuiltInTemplate({ name: "alert" });
    const own = { name: "alert", subject: "Mine", text: "{{ message }}", variables: [] };
    await identity.operator.templates.putTemplate({ accountId, template: own });
    expect((await templates.getBuiltInTemplate({ name: "alert" })).template).toEqual(template);
    expect((await templates.getTemplate({ name: "alert" })).template?.template?.subject).toBe("Mine");
    await expect(templates.getBuiltInTemplate({ name: "alert-digest" })).rejects.toMatchObject({
      code: "template.not_found",
      public:
        'The built-in template "alert-digest" does not exist. Use one of welcome, reset, receipt, invitation, digest, alert.',
    });
  });

  it("has no errors that an account would have to correct", async () => {
    const accountId = await accountWith("mine");
    const { template } = await identity.operator.templates.getTemplate({ accountId, name: "mine" });
    expect(template).toMatchObject({ faults: [], undeclaredVariables: [], unusedVariables: [] });
  });
});
