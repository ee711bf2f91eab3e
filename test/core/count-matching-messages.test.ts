import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AreaClients } from "../../src/rpc/client.ts";
import { newIdInBucket } from "../../src/shared/ids.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { createSignal } from "../harness/signal.ts";

let identity: Identity;
let accountId: string;
let viewer: AreaClients;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount();
  viewer = identity.as({ session: (await identity.memberOf(accountId, "viewer")).token });
});

async function stored(count: number, changes: Partial<MessageDocument> = {}): Promise<void> {
  const at = identity.time.clock.now();
  const messages = Array.from({ length: count }, (_, n) =>
    queuedMessage(at, { _id: newIdInBucket("msg", at, n), bucket: n, accountId, ...changes }),
  );
  await identity.store.acrossAccounts.messages.insertMany(messages);
}

type Filter = NonNullable<Parameters<AreaClients["messages"]["countMatchingMessages"]>[0]["filter"]>;
const count = async (filter: Filter = {}) => {
  const { count, hasMore } = await viewer.messages.countMatchingMessages({ filter });
  return [count, hasMore];
};

describe("a count of messages", () => {
  it("equals the number of messages in the list, for any filter", async () => {
    await stored(30, { state: "bounced", tags: ["a"] });
    await stored(12, { tags: ["a"], subject: "Order 17" });
    await stored(5, {
      accountId: (await identity.operator.accounts.createAccount({ name: "Other" })).account?.id ?? "",
    });
    expect(await count()).toEqual([42, false]);
    expect(await count({ states: ["bounced"] })).toEqual([30, false]);
    expect(await count({ states: ["queued"] })).toEqual([12, false]);
    expect(await count({ q: "order tag:a" })).toEqual([12, false]);
    expect(await count({ q: "order", states: ["bounced"] })).toEqual([0, false]);
    await expect(count({ q: "form:ada" })).rejects.toMatchObject({ errors: [{ pointer: "/filter/q" }] });
  });

  it("is exact up to 10,000, and reports that there are more", async () => {
    await stored(10_000, { tags: ["many"] });
    expect(await count()).toEqual([10_000, false]);
    expect(await count({ tags: ["many"] })).toEqual([10_000, false]);
    await stored(1, { tags: ["many"] });
    expect(await count()).toEqual([10_000, true]);
    expect(await count({ tags: ["many"] })).toEqual([10_000, true]);
    expect(await count({ tags: ["many"], q: "state:bounced" })).toEqual([0, false]);
  });

  it("ends after two seconds, and reports that there may be more", async () => {
    await stored(2_500, { tags: ["slow"] });
    const { messages } = identity.store.forAccount(accountId);
    const list = messages.list;
    // Each page takes one second.
    Object.assign(messages, {
      list: (page: Parameters<typeof list>[0]) => {
        identity.time.pass(1_000);
        return list(page);
      },
    });
    expect(await count({ tags: ["slow"] })).toEqual([2_000, true]);
    Object.assign(messages, { list });
    expect(await count({ tags: ["slow"] })).toEqual([2_500, false]);
  });

  it("is limited to four at once per account, and frees its slot at the end", async () => {
    await stored(1, { tags: ["a"] });
    const { messages } = identity.store.forAccount(accountId);
    const list = messages.list;
    const opened = createSignal();
    const gate = opened.next();
    Object.assign(messages, {
      list: (page: Parameters<typeof list>[0]) => gate.then(() => list(page)),
    });
    const refused = createSignal<unknown>();
    const counts = Array.from({ length: 6 }, () =>
      count({ tags: ["a"] }).catch((error) => refused.tell(error)),
    );
    await refused.until(2);
    opened.tell();
    Object.assign(messages, { list });
    expect((await Promise.all(counts)).filter((one) => one)).toEqual(Array(4).fill([1, false]));
    expect(refused.seen).toMatchObject([{ code: "service.busy" }, { code: "service.busy" }]);
    expect(await count({ tags: ["a"] })).toEqual([1, false]);
  });
});
