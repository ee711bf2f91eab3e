import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditActions } from "../../contracts/common/audit-actions.ts";
import { systemActions } from "../../src/core/audits/describe-actions.ts";
import { areas } from "../../src/roles/areas.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

let identity: Identity;
let accountId: string;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount();
});

/** Actions that the tables of the areas name. */
function namedActions(): string[] {
  const named = areas.flatMap(({ audits }) => Object.values(audits).map(({ action }) => action));
  const all = [...named, ...systemActions.map(({ name }) => name)];
  return [...new Set(all.filter((action) => action !== undefined))].sort();
}

it("every named action has a sentence, and every sentence an action", () => {
  expect(Object.keys(auditActions).toSorted()).toEqual(namedActions());
  for (const sentence of Object.values(auditActions)) expect(sentence).toMatch(/^[A-Z].*\.$/);
});

describe("the list of actions", () => {
  it("has each action once, in order, with its resource and possible outcomes", async () => {
    const { token } = await identity.memberOf(accountId);
    const { actions } = await identity.as({ session: token }).audits.listActions({});
    const names = actions.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort());
    expect(names).toEqual(expect.arrayContaining(namedActions()));
    for (const { name, group, description, outcomes } of actions) {
      expect(name.startsWith(`${group}.`)).toBe(true);
      expect(description).not.toBe("");
      expect(outcomes.length).toBeGreaterThan(0);
    }
    const of = (wanted: string) => actions.find(({ name }) => name === wanted)?.outcomes;
    expect(of("key.create")).toEqual(["changed", "refused"]);
    expect(of("message.read_body")).toEqual(["read", "refused"]);
    expect(of("key.list_keys")).toEqual(["refused"]);
    // The call of a worker leaves no entry.
    expect(names.filter((name) => name.startsWith("dispatch."))).toEqual([]);
  });

  it("needs the permission to read the log", async () => {
    const { token } = await identity.memberOf(accountId, "developer");
    await expect(identity.as({ session: token }).audits.listActions({})).rejects.toMatchObject({
      code: "auth.permission_missing",
    });
  });
});

describe("a search by several actions", () => {
  it("finds the entries of each", async () => {
    const { token, userId } = await identity.memberOf(accountId);
    const { audits, keys, accounts } = identity.as({ session: token });
    await keys.createKey({ kind: "account", name: "shop" });
    await accounts.renameAccount({ name: "Acme & Sons" });
    const found = async (action: string) => {
      const { entries } = await audits.listEntries({ filter: { action, actorId: userId } });
      return entries.map((entry) => entry.action);
    };
    expect(await found("key.create,account")).toEqual(["account.rename", "key.create"]);
    expect(await found("key , key.create")).toEqual(["key.create"]);
    expect(await found("erasure.finish,webhook.disable_gone")).toEqual([]);
  });

  it.each([["key,nothing"], ["key,"], [Array(51).fill("key").join(",")]])("refuses %s", async (action) => {
    await expect(
      identity.operator.audits.listEntries({ accountId, filter: { action } }),
    ).rejects.toMatchObject({
      errors: [{ pointer: "/filter/action", code: "field.invalid" }],
    });
  });
});
