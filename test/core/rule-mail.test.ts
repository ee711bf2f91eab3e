import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { type AlertAccount, conditions, openAlertAccount } from "../harness/alert-account.ts";
import { CLIENT, type Identity, openIdentity } from "../harness/identity.ts";

const MINUTE = 60_000;
const RULE = {
  name: "pager",
  notify: { recipients: ["ops@example.net", "dev@example.net"], from: "Alerts <alerts@example.com>" },
};
const ALERT = {
  eventType: "disk.full",
  severity: "critical",
  source: "node",
  message: "/var is full\nsince noon",
  entityType: "host",
  entityId: "web-1",
  context: { mount: "/var", free: 0.03 },
  links: [{ href: "https://grafana.example.com/d/disks", text: "Disks" }],
};

let identity: Identity;
let account: AlertAccount;

beforeAll(async () => {
  identity = await openIdentity();
  await identity.operator.accounts.createAccount({ name: "Operator" });
});
afterAll(() => identity.close());
beforeEach(async () => {
  account = await openAlertAccount(identity);
});

const inAccount = <T extends object>(request: T) => ({ accountId: account.accountId, ...request });
const preview = (request: object) => identity.operator.rules.previewRuleMail(inAccount(request));
/** Without the link and the id of the incident. */
const withoutLink = (text = "") =>
  text.replaceAll(/\/incident\/[\w.-]+/g, "/incident/").replaceAll(/inc_\w+/g, "inc_");
const messages = () =>
  identity.db.collection<MessageDocument>("messages").find({ accountId: account.accountId }).toArray();
const template = (name: string, text: string, html?: string) =>
  identity.operator.templates.putTemplate(
    inAccount({
      template: {
        name,
        subject: "{{ title }}",
        text,
        ...(html !== undefined && { html }),
        variables: [
          { name: "title", type: "string" },
          { name: "state_line", type: "string" },
        ],
      },
    }),
  );

describe("the preview of a rule's mail", () => {
  it("is the mail that the rule then sends: first notice, resolution and digest", async () => {
    const { recipients, first, resolved } = await preview({ rule: RULE, alert: ALERT });
    expect(recipients).toEqual(["ops@example.net", "dev@example.net"]);
    await account.putRule(RULE.notify);
    await account.ingest(ALERT);
    const [sent] = await account.parsed();
    expect([first?.subject, first?.from, first?.faults]).toEqual([
      sent?.subject,
      sent?.from?.text.replaceAll('"', ""),
      [],
    ]);
    expect(withoutLink(first?.text).trim()).toBe(withoutLink(sent?.text).trim());
    expect(withoutLink(first?.html)).toContain("/var is full");
    identity.time.pass(12 * MINUTE);
    await account.ingest({ ...ALERT, status: "resolved" });
    const end = (await account.parsed()).find(({ subject }) => subject?.startsWith("Re: "));
    expect(resolved?.subject).toBe(end?.subject);
    const [line] = (resolved?.text ?? "").split("\n");
    expect([line, line]).toEqual([end?.text?.split("\n")[0], "RESOLVED (critical) after 12 min."]);
  });

  it("is about a stored alert, or about an example", async () => {
    const { alertId } = await account.ingest({ ...ALERT, message: "stored" });
    expect((await preview({ rule: RULE, alertId })).first?.subject).toContain("stored");
    const { first, digest } = await preview({ rule: RULE });
    expect(first?.subject).toBe("[critical] node: The disk /var is 97 % full (host web-1)");
    expect(digest?.subject).toMatch(/^\[digest\] pager: 1 critical: /);
  });

  it("is that of a stored rule, with its template", async () => {
    await template("pager-mail", "{{ state_line }} Call 112.", "<p>{{ state_line }}</p>");
    await account.putRule({ ...RULE.notify, template: "pager-mail", resolvedMail: false });
    const { first, resolved, digest } = await preview({ name: "pager", alert: ALERT });
    expect(first?.text).toMatch(/^FIRING \(critical\) since .* Call 112\.$/);
    expect(first?.html).toMatch(/^<p>FIRING/);
    expect(resolved).toBeUndefined();
    // Templates of accounts are for one incident.
    expect(digest?.text).not.toContain("Call 112.");
  });

  it("names the errors of a template", async () => {
    const variables = [{ name: "owner", type: "string" }];
    const definition = { name: "broken", subject: "x", text: "{{ owner }}", variables };
    await identity.operator.templates.putTemplate(inAccount({ template: definition }));
    const { first } = await preview({ rule: { ...RULE, notify: { ...RULE.notify, template: "broken" } } });
    expect(first).toMatchObject({ subject: "", faults: [{ code: "template.variable_missing" }] });
    await expect(
      preview({ rule: { ...RULE, notify: { ...RULE.notify, template: "none" } } }),
    ).rejects.toMatchObject({ errors: [expect.objectContaining({ code: "template.unknown" })] });
  });

  it.each([
    [{}, "/rule"],
    [{ name: "pager", rule: RULE }, "/name"],
    [{ rule: RULE, alert: ALERT, alertId: "alr_1" }, "/alert_id"],
    [{ rule: { name: "silent" } }, "/rule/notify/recipients"],
    [{ rule: { name: "noise", effect: "drop" } }, "/rule/notify/recipients"],
    [{ rule: RULE, alert: { ...ALERT, severity: "fatal" } }, "/alert/severity"],
    [{ rule: { ...RULE, notify: { ...RULE.notify, from: "nobody" } } }, "/rule/notify/from"],
  ])("is refused for %#, with the field", async (request, pointer) => {
    await expect(preview(request)).rejects.toMatchObject({
      code: "request.validation_failed",
      errors: [expect.objectContaining({ pointer })],
    });
  });

  it("knows only the rules and alerts of its account", async () => {
    await account.putRule();
    const { alertId } = await account.ingest(ALERT);
    const { accountId } = await openAlertAccount(identity);
    const { previewRuleMail } = identity.operator.rules;
    await expect(previewRuleMail({ accountId, name: "pager" })).rejects.toMatchObject({
      code: "alert_rule.unknown",
    });
    await expect(previewRuleMail({ accountId, rule: RULE, alertId })).rejects.toMatchObject({
      code: "alert.unknown",
    });
  });

  it("stores nothing", async () => {
    await account.putRule(RULE.notify);
    await preview({ name: "pager", alert: ALERT });
    await account.check();
    expect([await messages(), await account.incidents()]).toEqual([[], []]);
  });
});

describe("a test mail of a rule", () => {
  const send = (request: object) => identity.operator.rules.sendRuleTest(inAccount(request));
  const sourceOf = async (id: string) => {
    const message = (await messages()).find(({ _id }) => _id === id);
    if (!message) throw new Error("there is no such message");
    return account.sourceOf(message);
  };

  it("goes to the own address of a member, is marked, and opens no incident", async () => {
    const member = await identity.memberOf(account.accountId);
    const { rules } = identity.as({ ...CLIENT, session: member.token });
    const { messages: sent } = await rules.sendRuleTest({ rule: RULE, alert: ALERT });
    expect(sent.map(({ recipient }) => recipient)).toEqual([member.email]);
    const source = await sourceOf(sent[0]?.messageId ?? "");
    const [head = ""] = source.split("\r\n\r\n");
    expect(head).toContain("Subject: [test] [critical] node: /var is full since noon (host web-1)");
    expect(head).toContain("X-Hermod-Test: alert-rule");
    expect(head).not.toMatch(/^(X-Hermod-(?!Test)|In-Reply-To|References)/im);
    expect(source).toContain("Test of the alert rule pager. No incident was opened.");
    const [message] = await messages();
    expect(message).toMatchObject({ operation: "alert.test", source: "dashboard", tags: ["alert-test"] });
    expect(message).not.toHaveProperty("incidentId");
    await account.check();
    expect(await account.incidents()).toEqual([]);
    expect(await messages()).toHaveLength(1);
  });

  it.each(["first", "resolved", "digest"])(
    "of the kind %s goes to each recipient of the rule",
    async (kind) => {
      await account.putRule(RULE.notify);
      const { messages: sent } = await send({ name: "pager", kind, to: "recipients" });
      expect(sent.map(({ recipient }) => recipient)).toEqual(RULE.notify.recipients);
      const subjects = (await messages()).map(({ subject }) => subject);
      expect(new Set(subjects).size).toBe(1);
      expect(subjects[0]).toMatch(/^\[test\] \[(?:critical|digest)\] /);
    },
  );

  it("says that it is a test in the text and the HTML of an account's template", async () => {
    await template(
      "pager-mail",
      "{{ state_line }}",
      '<html><body class="x"><p>{{ state_line }}</p></body></html>',
    );
    const rule = { ...RULE, notify: { ...RULE.notify, template: "pager-mail" } };
    const { messages: sent } = await send({ rule, to: "recipients" });
    const source = await sourceOf(sent[0]?.messageId ?? "");
    expect(source.match(/Test of the alert rule pager/g)).toHaveLength(2);
    expect(source).toMatch(/<body class=3D"x"><p><strong>Test|<body class="x"><p><strong>Test/);
  });

  it("is refused for a sender that is not verified, and sends none", async () => {
    const rule = { ...RULE, notify: { ...RULE.notify, from: "alerts@other.example" } };
    await expect(send({ rule, to: "recipients" })).rejects.toMatchObject({ code: "sender.unverified" });
    expect(await messages()).toEqual([]);
  });

  it.each([
    [{ rule: RULE }, "/to"],
    [{ rule: RULE, to: "everybody" }, "/to"],
    [{ rule: RULE, kind: "last", to: "recipients" }, "/kind"],
  ])("is refused for %#, with the field", async (request, pointer) => {
    await expect(send(request)).rejects.toMatchObject({
      errors: [expect.objectContaining({ pointer })],
    });
  });

  it("does not match stored conditions: a rule without them can be tested", async () => {
    const rule = { ...RULE, match: conditions(["source", "eq", "never"]) };
    await expect(send({ rule, alert: ALERT, to: "recipients" })).resolves.toBeDefined();
  });
});
