import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PutPolicyRequestSchema } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { createAccountSettings } from "../../src/core/access/account-settings.ts";
import { createPutPolicy } from "../../src/core/policies/policies.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { OPERATOR } from "../harness/audit.ts";
import { sealingWith, testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const accountId = "acc_1";

let opened: TestStore;
let store: Store;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
  await opened.db.collection<{ _id: string }>("accounts").insertOne({ _id: accountId });
});
afterAll(() => opened.close());

/** Stores the policy `relay` with this password; "": without one. */
async function put(password: string, use = store) {
  const putPolicy = createPutPolicy({
    store: use,
    settings: createAccountSettings({ store: use, clock: systemClock, cacheMs: 0 }),
    clock: systemClock,
    bounds: { baseUrl: undefined, maxAgeMs: 3_600_000, allowPrivate: true },
  });
  const smtp = { servers: [{ host: "relay.example.com" }], username: "ada", password };
  const policy: MessageInitShape<typeof PutPolicyRequestSchema>["policy"] = {
    name: "relay",
    transports: [{ kind: { case: "smtp", value: smtp } }],
  };
  await putPolicy(create(PutPolicyRequestSchema, { policy }), OPERATOR);
}

const storedPassword = async () =>
  (await store.forAccount(accountId).policies.find("relay"))?.transports.map(
    (way) => way.kind === "smtp" && way.password,
  );

it("keeps the stored password of a policy that is stored without it, also during a concurrent change", async () => {
  await put("first");
  await put("");
  expect(await storedPassword()).toEqual(["first"]);
  // In any order, none of them restores the first one.
  await Promise.all([put(""), put("second"), put(""), put("")]);
  expect(await storedPassword()).toEqual(["second"]);
});

it("accepts a new password for a policy with an undecryptable one, and refuses the policy without it", async () => {
  await put("lost");
  const other = createStore(opened.db, sealingWith("07".repeat(32)));
  await expect(put("", other)).rejects.toMatchObject({ code: "store.unavailable" });
  expect(await storedPassword()).toEqual(["lost"]);
  await put("new", other);
  expect((await other.forAccount(accountId).policies.find("relay"))?.transports).toMatchObject([
    { password: "new" },
  ]);
});
