import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Dashboard, type Method, openDashboard } from "../harness/dashboard.ts";
import { allowSending } from "../harness/finished-message.ts";

const HOUR = 3_600_000;
const ALERT = { event_type: "disk.full", severity: "critical", source: "node", message: "full" };

let world: Dashboard;
let accountId: string;
let token: string;

beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.identity.openAccount();
  token = (await world.identity.memberOf(accountId)).token;
});

const ask = (method: Method, path: string, body?: unknown) =>
  world.ask(method, `/api${path}`, { token, ...(body !== undefined && { body }) });
const later = (ms: number) => new Date(world.identity.time.clock.now().getTime() + ms).toISOString();

describe("tests of alert rules, in the dashboard", () => {
  const RULE = {
    name: "pager",
    match: [{ field: "severity", op: "gte", value: "critical" }],
    notify: { recipients: ["ops@example.net"], from: "Alerts <alerts@example.com>" },
  };
  beforeEach(async () => {
    await allowSending(world.identity, accountId);
    const { alerts } = world.identity.operator;
    for (const severity of ["critical", "info"]) {
      const alert = { eventType: "disk.full", severity, source: "node", message: "full", entityId: severity };
      await alerts.sendAlert({ accountId, alert });
    }
  });

  it("show what a rule would do with past alerts", async () => {
    const filter = { from: later(-HOUR), severities: ["critical", "warning"], outcomes: ["unmatched"] };
    const { status, body } = await ask("POST", "/alert-rules/try", { rule: RULE, filter, limit: 10 });
    expect([status, body]).toMatchObject([
      200,
      {
        tested: 1,
        read: 2,
        newly_matched: 1,
        estimate: { incidents: 1, notices: 1, mails: 1, digests: 0 },
        rules: [{ rule: "pager", matched: 1, taken_by: [] }],
        notices: [
          {
            reason: "first",
            title: expect.stringMatching(/^\[critical\]/),
            recipients: ["ops@example.net"],
            targets: 0,
          },
        ],
        alerts: [{ change: "newly_matched", entity_id: "critical", after: ["pager"], dropped_by: "" }],
        all_tested: true,
        all_notices_counted: true,
      },
    ]);
    const set = await ask("POST", "/alert-rules/try", {
      rules: [RULE, { name: "rest", only_unmatched: true }],
    });
    expect(set.body).toMatchObject({ tested: 2, matched: 2, rules_count: 2 });
  });

  it("show and send the mail of a rule", async () => {
    const mails = await ask("POST", "/alert-rules/preview-mail", { rule: RULE, alert: ALERT });
    expect([mails.status, mails.body]).toMatchObject([
      200,
      {
        recipients: ["ops@example.net"],
        first: { subject: "[critical] node: full", faults: [] },
        resolved: { subject: "Re: [critical] node: full" },
        digest: { subject: expect.stringMatching(/^\[digest\] pager: /) },
      },
    ]);
    // Scripts and foreign resources are no part of the document.
    expect(mails.body.first.document).toContain("full");
    expect(mails.body.first.document).not.toMatch(/<(?:script|link|form)\b/i);
    const sent = await ask("POST", "/alert-rules/test-mail", { rule: RULE, alert: ALERT, kind: "digest" });
    expect(sent.status).toBe(202);
    const [{ message_id }] = sent.body.messages;
    const { body } = await ask("GET", `/messages/${message_id}`);
    expect(body.message.subject).toMatch(/^\[test\] \[digest\] pager: /);
  });

  it.each([
    ["try", { rule: { ...RULE, name: "Pager" } }, ["/rule/name"]],
    ["try", { filter: { from: "yesterday" } }, ["/filter/from"]],
    ["try", { filter: { severity: "info" } }, ["/filter/severity"]],
    ["try", { limit: 0 }, ["/limit"]],
    ["preview-mail", { name: "pager", rule: RULE }, ["/name"]],
    ["preview-mail", { rule: RULE, alert: { ...ALERT, occurred_at: "now" } }, ["/alert/occurred_at"]],
    ["test-mail", { rule: RULE, to: "all" }, ["/to"]],
  ])("refuse %s for %j, with the field", async (path, body, pointers) => {
    const { status, problem } = await ask("POST", `/alert-rules/${path}`, body);
    expect([status, problem.code]).toEqual([422, "request.validation_failed"]);
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
  });
});
