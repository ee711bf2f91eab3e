import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PutPolicyRequestSchema } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { PutTemplateRequestSchema } from "../../gen/hermod/template/v1/template_service_pb.ts";
import { createAccountSettings } from "../../src/core/access/account-settings.ts";
import { createPutPolicy } from "../../src/core/policies/policies.ts";
import { createPutTemplate } from "../../src/core/templates/put-template.ts";
import { systemClock } from "../../src/shared/clock.ts";
import type { TemplateDocument } from "../../src/store/documents.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { OPERATOR, testAudit } from "../harness/audit.ts";
import { type FailureTime, failingDb } from "../harness/failing-db.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const accountId = "acc_1";
const times: readonly FailureTime[] = ["before", "after"];

let opened: TestStore;
let store: Store;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
  await opened.db.collection<{ _id: string }>("accounts").insertOne({ _id: accountId });
});
afterAll(() => opened.close());
beforeEach(async () => {
  await Promise.all(["templates", "policies"].map((name) => opened.db.collection(name).deleteMany({})));
});

const parts = (use: Store) => ({
  store: use,
  clock: systemClock,
  settings: createAccountSettings({ store: use, clock: systemClock, cacheMs: 0 }),
});

/** Makes every write fail in turn, and checks the guarantee after each, until a run has no further write. */
async function failEachWrite(
  prepare: () => Promise<void>,
  run: (use: Store) => Promise<unknown>,
  holds: () => Promise<void>,
): Promise<void> {
  for (const time of times) {
    for (let nth = 1; ; nth++) {
      await prepare();
      const failing = failingDb(opened.db, nth, time);
      const outcome = await run(createStore(failing.db, testSealing)).then(
        () => "done",
        () => "failed",
      );
      await holds();
      if (!failing.failed()) {
        expect(outcome).toBe("done");
        expect(nth).toBeGreaterThan(1);
        break;
      }
    }
  }
}

describe("a template", () => {
  async function put(subject: string, use = store): Promise<number | undefined> {
    const template = { name: "welcome", subject, text: "Hello" };
    const answer = await createPutTemplate(parts(use))(
      create(PutTemplateRequestSchema, { template }),
      OPERATOR,
    );
    return answer.template?.version;
  }
  const published = () => store.forAccount(accountId).templates.findPublished("welcome");
  const all = () => opened.db.collection<TemplateDocument>("templates").find().sort({ version: 1 }).toArray();
  const empty = async () => void (await opened.db.collection("templates").deleteMany({}));

  it("is published completely, or the former version stays, when any write fails", async () => {
    await failEachWrite(
      async () => {
        await empty();
        await put("one");
      },
      (use) => put("two", use),
      async () => {
        const after = await published();
        expect([1, 2]).toContain(after?.version);
        expect((await all()).filter((one) => one.published)).toHaveLength(1);
        expect(await put("three")).toBe((after?.version ?? 0) + 1);
        expect((await published())?.definition.subject).toBe("three");
      },
    );
  });

  it("exists completely or not at all after its first version, when any write fails", async () => {
    await failEachWrite(
      empty,
      (use) => put("one", use),
      async () => {
        expect((await all()).every((one) => one.published)).toBe(true);
        expect(await put("one")).toBe(1);
      },
    );
  });

  it("has consecutive versions when several are published at once, and one published version", async () => {
    const subjects = Array.from({ length: 8 }, (_, n) => `subject ${n}`);
    const versions = await Promise.all(subjects.map((subject) => put(subject)));
    expect(versions.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect((await all()).map((one) => one.published)).toEqual([...Array(7).fill(false), true]);
  });

  it("has one version when the same text is published several times at once", async () => {
    expect(await Promise.all(Array.from({ length: 5 }, () => put("same")))).toEqual([1, 1, 1, 1, 1]);
    expect(await all()).toHaveLength(1);
  });

  it("has a published version at any time", async () => {
    await put("first");
    let publishing = true;
    const missing = (async () => {
      let count = 0;
      while (publishing) if (!(await published())) count++;
      return count;
    })();
    for (let n = 0; n < 8; n++) await put(`subject ${n}`);
    publishing = false;
    expect(await missing).toBe(0);
  });

  it.each<[name: string, marks: readonly boolean[]]>([
    ["with a next version that was never published", [true, false]],
    ["with unpublished versions only", [false, false]],
  ])("%s is published by the next call", async (_, marks) => {
    await put("one");
    await put("two");
    const templates = opened.db.collection("templates");
    await templates.updateMany({}, { $set: { published: false } });
    const version = marks.indexOf(true) + 1;
    await templates.updateOne({ version }, { $set: { published: true } });
    expect(await put("three")).toBe(3);
    expect((await published())?.definition.subject).toBe("three");
    expect((await all()).filter((one) => one.published)).toHaveLength(1);
  });
});

describe("the author of a policy", () => {
  const bounds = { baseUrl: undefined, maxAgeMs: 48 * 3_600_000, allowPrivate: false };
  const policy = { name: "own", transports: [{ kind: { case: "sandbox" as const, value: {} } }] };

  it("is stored with it, and a member cannot replace the operator's policy", async () => {
    const putPolicy = createPutPolicy({ ...parts(store), bounds });
    const put = (actor: "account" | "operator") =>
      putPolicy(create(PutPolicyRequestSchema, { policy }), { actor, audit: testAudit });
    const author = async () => (await store.forAccount(accountId).policies.find("own"))?.storedBy;
    await put("account");
    expect(await author()).toBe("account");
    await put("operator");
    expect(await author()).toBe("operator");
    await expect(put("account")).rejects.toMatchObject({ code: "policy.operator_owned" });
    expect(await author()).toBe("operator");
  });
});

describe("a default policy", () => {
  type PolicyInit = NonNullable<MessageInitShape<typeof PutPolicyRequestSchema>["policy"]>;
  async function put(name: string, use = store, isDefault = true): Promise<void> {
    const policy: PolicyInit = {
      name,
      default: isDefault,
      transports: [{ kind: { case: "sandbox", value: {} } }],
    };
    const bounds = { baseUrl: undefined, maxAgeMs: 48 * 3_600_000, allowPrivate: false };
    const putPolicy = createPutPolicy({ ...parts(use), bounds });
    await putPolicy(create(PutPolicyRequestSchema, { policy }), OPERATOR);
  }
  const defaults = async () => {
    const listed = await store.forAccount(accountId).policies.list({ limit: 50 });
    return listed.filter((policy) => policy.default).map(({ name }) => name);
  };

  it("replaces the former one, or the former one stays, when any write fails", async () => {
    await failEachWrite(
      async () => {
        await opened.db.collection("policies").deleteMany({});
        await put("old");
      },
      (use) => put("new", use),
      async () => {
        const [name, ...others] = await defaults();
        expect(["old", "new"]).toContain(name);
        expect(others).toEqual([]);
        await put("newest");
        expect(await defaults()).toEqual(["newest"]);
      },
    );
  });

  it("is unique when several are made the default at once", async () => {
    const names = Array.from({ length: 8 }, (_, n) => `policy${n}`);
    await Promise.all(names.map((name) => put(name)));
    expect(await store.forAccount(accountId).policies.list({ limit: 50 })).toHaveLength(8);
    expect(await defaults()).toHaveLength(1);
  });

  it("exists at any time", async () => {
    await put("first");
    let changing = true;
    const missing = (async () => {
      let count = 0;
      while (changing) if (!(await store.forAccount(accountId).policies.findDefault())) count++;
      return count;
    })();
    for (let n = 0; n < 8; n++) await put(`policy${n % 3}`);
    changing = false;
    expect(await missing).toBe(0);
  });

  it("is set by a stored policy if an interrupted call has left none", async () => {
    await put("old", store, false);
    await put("new");
    expect(await defaults()).toEqual(["new"]);
  });
});
