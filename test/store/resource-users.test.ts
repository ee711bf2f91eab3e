import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_NOTIFY, type RuleSettings } from "../../src/alerts/rule.ts";
import { testAudit } from "../harness/audit.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

let identity: Identity;
let accountId: string;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  identity.time.pass(1);
  accountId = (await identity.operator.accounts.createAccount({ name: "Acme" })).account?.id ?? "";
});

const account = () => identity.store.forAccount(accountId);
const rule: RuleSettings = {
  name: "pager",
  description: "",
  order: 100,
  enabled: true,
  stop: false,
  effect: "notify",
  matchers: { match: [], any: [] },
  notify: {
    ...DEFAULT_NOTIFY,
    recipients: ["ops@example.net"],
    from: "alerts@example.com",
    template: "mail",
  },
};
const needed = { template: { name: "mail", pointer: "/notify/template" } };

async function newTemplate(): Promise<void> {
  const definition = { name: "mail", subject: "An alert", text: "Look.", variables: [] };
  const createdAt = identity.time.clock.now();
  await account().templates.publish({ name: "mail", definition, createdAt }, testAudit);
}

describe("a rule that is stored during the removal of its template", () => {
  const rounds = Array.from({ length: 5 }, (_, round) => round);

  it.each(rounds)("is refused: the removal had found no users of the template (round %i)", async () => {
    await newTemplate();
    let putting: Promise<unknown> | undefined;
    // The removal has read its users, and is not committed yet.
    const removing = account().templates.remove("mail", testAudit, (use) => {
      expect(use.count).toBe(0);
      putting ??= account().alertRules.put(rule, testAudit, undefined, needed);
      putting.catch(() => undefined);
    });
    expect(await removing).toBe(true);
    await expect(putting).rejects.toMatchObject({ code: "template.unknown" });
    expect(await account().alertRules.find("pager")).toBeNull();
  });
});
