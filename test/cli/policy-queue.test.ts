import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { GetPolicyQueueResponseSchema } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { AreaClients } from "../../src/rpc/client.ts";
import { newIdInBucket } from "../../src/shared/ids.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { messageDocument } from "../harness/message-document.ts";
import { runHermod } from "./run-hermod.ts";

let identity: Identity;
let accountId: string;
let owner: AreaClients;
let email: string;
beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount();
  const member = await identity.memberOf(accountId);
  email = member.email;
  owner = identity.as({ session: member.token });
});

const hermod = (...argv: string[]) =>
  runHermod([...argv, "--account", accountId], { core: identity.operator });
const holdsOfAccount = async () => (await owner.policies.getPolicyQueue({ name: "sandbox" })).holds;

describe("hermod policy waiting", () => {
  const at = timestampFromDate(new Date("2030-01-02T09:00:00Z"));
  const show = (queue: MessageInitShape<typeof GetPolicyQueueResponseSchema>) => {
    const getPolicyQueue = async () => create(GetPolicyQueueResponseSchema, queue);
    return runHermod(["policy", "waiting", "news"], { core: { policies: { getPolicyQueue } } });
  };

  it("shows the messages by destination, and the holds", async () => {
    const { out, err } = await show({
      waiting: 8n,
      scheduled: 1n,
      destinations: [
        { domain: "example.org", waiting: 4n, oldestAt: at, held: true },
        { domain: "example.net", waiting: 3n, oldestAt: at },
      ],
      otherWaiting: 1n,
      isPartial: true,
      deleted: true,
      holds: [
        {
          policy: "news",
          destination: "example.org",
          reason: "down\u001b[2J",
          heldAt: at,
          heldBy: { kind: "user", name: "ada@example.com" },
          owner: "account",
        },
      ],
    });
    expect(out).toBe(`8 messages wait, and 1 is scheduled.
The policy is deleted. Waiting messages still follow it.

DESTINATION  WAITING  OLDEST                   HELD
example.org  4        2030-01-02 09:00:00 UTC  yes
example.net  3        2030-01-02 09:00:00 UTC  no
1 message waits for other destinations.
The count by destination stopped after two seconds.

HOLD         OWNER    BY               SINCE                    REASON
example.org  account  ada@example.com  2030-01-02 09:00:00 UTC  down [2J
`);
    expect(err).toBe("");
  });

  it("says that nothing waits and nothing is held", async () => {
    expect((await show({})).out).toBe(
      "0 messages wait, and 0 are scheduled.\n\nNo hold covers the policy.\n",
    );
  });

  it("counts the messages of the account in JSON", async () => {
    const now = new Date(identity.time.clock.now().getTime() - 60_000);
    const _id = newIdInBucket("msg", now, 1);
    const recipient = { recipientDomain: "example.org", recipient: "bob@example.org" };
    const message = messageDocument({ _id, accountId, policy: "sandbox", ...recipient, createdAt: now });
    await identity.db.collection<MessageDocument>("messages").insertOne(message);
    await owner.policies.holdPolicyQueue({
      name: "sandbox",
      destination: "example.org",
      reason: "The relay is down",
    });
    const { out } = await hermod("policy", "waiting", "sandbox", "--json");
    expect(JSON.parse(out)).toMatchObject({
      waiting: 1,
      scheduled: 0,
      destinations: [{ domain: "example.org", waiting: 1, held: true }],
      held: false,
      holds: [{ owner: "account", held_by: { kind: "user", name: email }, reason: "The relay is down" }],
      deleted: false,
    });
  });

  it("refuses an unknown policy", async () => {
    const { code, err } = await hermod("policy", "waiting", "none");
    expect([code, err]).toEqual([1, 'hermod: The routing policy "none" does not exist.\n']);
  });
});

describe("hermod policy hold", () => {
  it("adds a hold of the account, which a member can release", async () => {
    const reason = "The relay is down";
    const ran = await hermod("policy", "hold", "sandbox", "--destination", "Example.ORG", "--reason", reason);
    expect(ran.out).toMatch(
      /^Holding the messages of the policy sandbox to example\.org\. Held by operator since .* UTC: The relay is down\n$/,
    );
    expect(ran.err).toContain("`hermod policy release`");
    expect(await holdsOfAccount()).toMatchObject([
      { owner: "account", destination: "example.org", reason, heldBy: { kind: "operator" } },
    ]);
    await owner.policies.releasePolicyQueue({ name: "sandbox", destination: "example.org" });
    expect(await holdsOfAccount()).toEqual([]);
  });

  it("shows an existing hold, which stays unchanged", async () => {
    await owner.policies.holdPolicyQueue({ name: "sandbox", reason: "a wrong campaign" });
    const { code, out } = await hermod("policy", "hold", "sandbox", "--reason", "another reason");
    expect([code, out]).toEqual([0, expect.stringContaining(`Held by ${email} since `)]);
    expect(out).toContain(": a wrong campaign\n");
  });

  it("needs a reason", async () => {
    const missing = await hermod("policy", "hold", "sandbox");
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("--reason <text>")]);
    const empty = await hermod("policy", "hold", "sandbox", "--reason", " ");
    expect([empty.code, empty.err]).toEqual([1, expect.stringContaining("/reason")]);
    expect(await holdsOfAccount()).toEqual([]);
  });
});

describe("hermod policy release", () => {
  it("releases a hold of a member, unlike hermod queue release", async () => {
    await owner.policies.holdPolicyQueue({ name: "sandbox", reason: "a wrong campaign" });
    expect((await hermod("queue", "release", "--policy", "sandbox")).code).toBe(1);
    expect(await holdsOfAccount()).toHaveLength(1);
    const { code, out } = await hermod("policy", "release", "sandbox");
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(`Released the messages of the policy sandbox, held by ${email} since `),
    ]);
    expect(await holdsOfAccount()).toEqual([]);
  });

  it("keeps a hold of the operator, which policy waiting shows", async () => {
    await hermod("queue", "hold", "--policy", "sandbox", "--reason", "please call");
    const refused = await hermod("policy", "release", "sandbox");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("No hold has this selection.")]);
    const { out, err } = await hermod("policy", "waiting", "sandbox");
    expect(out).toMatch(/\nall destinations +operator +operator +.* UTC +please call\n$/);
    expect(err).toContain("`hermod queue release`");
    expect((await hermod("queue", "release", "--policy", "sandbox")).code).toBe(0);
  });
});
