import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CoreClient } from "../../src/rpc/client.ts";
import { allowSending } from "../harness/finished-message.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { runHermod } from "./run-hermod.ts";

let identity: Identity;
let accountId: string;
let ids: Record<string, string>;
let count = 0;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = (await identity.operator.accounts.createAccount({ name: "Acme" })).account?.id ?? "";
  await allowSending(identity, accountId);
  const { client } = await identity.operator.workspaces.createClient({
    accountId,
    settings: { name: "Acme" },
  });
  const name = `n${count++}.example.org`;
  const clientId = client?.id ?? "";
  const { domain } = await identity.operator.watches.addWatchedDomain({ accountId, clientId, name });
  const from = "reports@example.com";
  const settings = {
    name: "Weekly",
    scope: { type: "workspace" },
    cadence: "weekly",
    from,
    recipients: [from],
  };
  const { schedule } = await identity.operator.schedules.createSchedule({ accountId, settings });
  const { heartbeat } = await identity.operator.heartbeats.createHeartbeat({
    accountId,
    settings: { name: "job", periodSeconds: 3_600 },
  });
  const { key } = await identity.operator.keys.createKey({ accountId, name: "Shop" });
  const url = "https://shop.example.com/hooks";
  const { webhook } = await identity.operator.webhooks.createWebhook({ accountId, settings: { url } });
  ids = {
    key: key?.id ?? "",
    webhook: webhook?.id ?? "",
    member: (await identity.memberOf(accountId, "viewer")).userId,
    client: clientId,
    workspace: client?.workspaceId ?? "",
    domain: domain?.id ?? "",
    schedule: schedule?.id ?? "",
    heartbeat: heartbeat?.id ?? "",
  };
});

const hermod = (argv: readonly string[], core: CoreClient = identity.operator) =>
  runHermod([...argv, "--account", accountId, "--json"], { core });
const resolved = (argv: readonly string[]) => argv.map((part) => ids[part.slice(1)] ?? part);

/** Commands that change something: `@client` stands for the id of the client, and so on. */
const commands: readonly (readonly string[])[] = [
  ["account", "rename", "Other"],
  ["account", "require-second-factor"],
  ["account", "retention", "--content-days", "3"],
  ["member", "set-role", "@member", "developer"],
  ["member", "remove", "@member"],
  ["key", "rename", "@key", "Other"],
  ["webhook", "remove", "@webhook"],
  ["heartbeat", "edit", "@heartbeat", "--grace", "1m"],
  ["heartbeat", "remove", "@heartbeat"],
  ["intel", "workspace", "rename", "@workspace", "Other"],
  ["intel", "client", "edit", "@client", "--notes", "other"],
  ["intel", "client", "archive", "@client"],
  ["intel", "client", "restore", "@client"],
  ["intel", "domain", "edit", "@domain", "--role", "parked"],
  ["intel", "domain", "pause", "@domain"],
  ["intel", "domain", "resume", "@domain"],
  ["intel", "domain", "mute", "@domain", "auth.dmarc.policy", "--for", "2h"],
  ["intel", "domain", "unmute", "@domain", "auth.dmarc.policy"],
  ["intel", "domain", "remove", "@domain"],
  ["intel", "schedule", "edit", "@schedule", "--hour", "9"],
  ["intel", "schedule", "pause", "@schedule"],
  ["intel", "schedule", "resume", "@schedule"],
  ["intel", "schedule", "remove", "@schedule"],
];

describe("--if-revision", () => {
  it.each(commands.map((argv) => ({ argv, command: argv.slice(0, 3).join(" ") })))(
    "of hermod $command refuses an older revision, names the present one and changes on that",
    async ({ argv }) => {
      const named = (revision: string) => hermod([...resolved(argv), "--if-revision", revision]);
      const refused = await named("older");
      const { error } = JSON.parse(refused.err);
      expect([refused.code, error.code, error.revision]).toEqual([
        1,
        expect.stringMatching(/^(?:resource|webhook)\.stale$/),
        expect.any(String),
      ]);
      const { code, err } = await named(error.revision);
      expect([code, err]).toEqual([0, expect.not.stringContaining("error")]);
    },
  );
});

describe("a command that merges settings it has read", () => {
  it.each([
    ["a client", ["intel", "client", "edit", "@client", "--notes", "mine"]],
    ["a watched domain", ["intel", "domain", "edit", "@domain", "--selector", "mine"]],
    ["a schedule", ["intel", "schedule", "edit", "@schedule", "--hour", "9"]],
    ["a heartbeat", ["heartbeat", "edit", "@heartbeat", "--grace", "1m"]],
  ])("does not undo a concurrent change of %s by another editor", async (_what, argv) => {
    const { operator } = identity;
    const { heartbeats, schedules, watches, workspaces } = operator;
    const other = async (...of: string[]) => {
      expect((await hermod(resolved(of))).code).toBe(0);
    };
    /** Another editor is faster each time. */
    const slow: CoreClient = {
      ...operator,
      workspaces: {
        ...workspaces,
        updateClient: async (request) => {
          await other("intel", "client", "edit", "@client", "--notes", "theirs");
          return workspaces.updateClient(request);
        },
      },
      watches: {
        ...watches,
        updateWatchedDomain: async (request) => {
          await other("intel", "domain", "edit", "@domain", "--selector", "theirs");
          return watches.updateWatchedDomain(request);
        },
      },
      heartbeats: {
        ...heartbeats,
        updateHeartbeat: async (request) => {
          await other("heartbeat", "edit", "@heartbeat", "--grace", "2m");
          return heartbeats.updateHeartbeat(request);
        },
      },
      schedules: {
        ...schedules,
        updateSchedule: async (request) => {
          await other("intel", "schedule", "edit", "@schedule", "--hour", "7");
          return schedules.updateSchedule(request);
        },
      },
    };
    const { code, err } = await hermod(resolved(argv), slow);
    expect([code, JSON.parse(err).error.code]).toEqual([1, "resource.stale"]);
  });
});
