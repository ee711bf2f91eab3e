import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createKeyUses, type KeyUses } from "../../src/core/access/key-uses.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

const DAY_MS = 86_400_000;

let identity: Identity;
let accountId: string;
let keyId: string;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount();
  keyId = (await identity.operator.keys.createKey({ accountId, name: "Shop" })).key?.id ?? "";
});

type KeyStore = Identity["store"]["acrossAccounts"]["keys"];

function startProcess(keys: Partial<KeyStore> = {}): KeyUses {
  const { store, time } = identity;
  return createKeyUses({ keys: { ...store.acrossAccounts.keys, ...keys }, clock: time.clock });
}

function use(uses: KeyUses, clientAddress = "192.0.2.1", surface: "http" | "smtp" | "grpc" = "http"): void {
  uses.note({ _id: keyId, accountId }, { surface, clientAddress, isOperation: true });
}

const shown = async () => (await identity.operator.keys.getKey({ accountId, key: keyId })).key;
const counted = async (days = 30) => {
  const found = await identity.operator.keys.listKeyUses({ accountId, key: keyId, days });
  return found.days.map(({ day, http, smtp, grpc }) => [day, http, smtp, grpc]);
};
const today = (daysAgo = 0) =>
  new Date(identity.time.clock.now().getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);

describe("the uses of a key", () => {
  it("are returned with time, address and protocol of the latest one", async () => {
    expect(await shown()).toMatchObject({ lastUsedFrom: "", lastUsedBy: "" });
    const uses = startProcess();
    use(uses);
    use(uses, "2001:db8::1", "smtp");
    const at = identity.time.clock.now();
    await uses.flush();
    const key = await shown();
    expect(key).toMatchObject({ lastUsedFrom: "2001:db8::1", lastUsedBy: "smtp" });
    expect(Number(key?.lastUsedAt?.seconds)).toBe(Math.floor(at.getTime() / 1000));
    expect(await counted()).toEqual([[today(), 1, 1, 0]]);
  });

  it("are those of all processes, with any number of flushes", async () => {
    const [one, other] = [startProcess(), startProcess()];
    use(one);
    await one.flush();
    use(one);
    await one.flush();
    await one.flush();
    use(other, "192.0.2.2", "grpc");
    await other.flush();
    expect(await counted()).toEqual([[today(), 2, 0, 1]]);
  });

  it("are kept when they cannot be written, and not counted twice", async () => {
    let isDown = true;
    const { countUses } = identity.store.acrossAccounts.keys;
    const uses = startProcess({
      countUses: async (documents) => {
        // The write succeeded, and its answer was lost.
        await countUses(documents);
        if (isDown) throw new Error("gone");
      },
    });
    use(uses);
    await expect(uses.flush()).rejects.toThrow("gone");
    use(uses);
    isDown = false;
    await uses.flush();
    expect(await counted()).toEqual([[today(), 2, 0, 0]]);
  });

  it("are counted by day", async () => {
    const uses = startProcess();
    use(uses);
    identity.time.pass(DAY_MS);
    use(uses);
    use(uses);
    await uses.flush();
    expect(await counted()).toEqual([
      [today(), 2, 0, 0],
      [today(1), 1, 0, 0],
    ]);
    expect(await counted(1)).toEqual([[today(), 2, 0, 0]]);
    await expect(counted(91)).rejects.toMatchObject({ code: "request.validation_failed" });
  });

  it("that arrived earlier do not replace later ones", async () => {
    const [slow, quick] = [startProcess(), startProcess()];
    use(slow, "192.0.2.1");
    identity.time.pass(1_000);
    use(quick, "192.0.2.2");
    await quick.flush();
    await slow.flush();
    expect(await shown()).toMatchObject({ lastUsedFrom: "192.0.2.2" });
  });

  it("that were only checked are not counted", async () => {
    const uses = startProcess();
    uses.note({ _id: keyId, accountId }, { surface: "http", clientAddress: "192.0.2.1", isOperation: false });
    await uses.flush();
    expect(await counted()).toEqual([]);
    expect(await shown()).toMatchObject({ lastUsedBy: "http" });
  });
});

describe("a key", () => {
  it("counts as unused after 30 days without use, unless it is no longer valid", async () => {
    identity.time.pass(30 * DAY_MS);
    expect(await shown()).toMatchObject({ unused: false });
    identity.time.pass(1);
    expect(await shown()).toMatchObject({ unused: true });
    const uses = startProcess();
    use(uses);
    await uses.flush();
    expect(await shown()).toMatchObject({ unused: false });
    identity.time.pass(31 * DAY_MS);
    await identity.operator.keys.revokeKey({ accountId, key: keyId });
    expect(await shown()).toMatchObject({ unused: false });
  });
});
