import { Binary, BSON, type Db, type Document } from "mongodb";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DomainKeyDocument } from "../../src/store/documents.ts";
import type { PolicyDocument, SmtpTransportSettings } from "../../src/store/policy-document.ts";
import { hasClearSecrets, missingSecretKeys } from "../../src/store/sealing/missing-keys.ts";
import type { RotationPosition, RotationStep } from "../../src/store/sealing/rotate-secrets.ts";
import type { Sealing } from "../../src/store/sealing/sealing.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { sealingWith } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const [OLD, NEW, OTHER] = ["01", "02", "03"].map((byte) => byte.repeat(32)) as [string, string, string];
const [oldKey, newKey, otherKey] = [OLD, NEW, OTHER].map((key) => sealingWith(key).keyId);
const both = sealingWith(NEW, OLD);
const now = new Date("2026-01-02T03:04:05.678Z");
const accountId = "acc_1";

let opened: TestStore;

beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened.close());
beforeEach(async () => {
  const names = ["secrets", "domainKeys", "policies", "settingVersions"];
  await Promise.all(names.map((name) => raw(name).deleteMany({})));
});

const storeWith = (sealing: Sealing) => createStore(opened.db, sealing);
const raw = (name: string) => opened.db.collection<Document & { _id: string }>(name);

const domainKey = (selector: string): DomainKeyDocument => ({
  _id: `${accountId}.example.com.${selector}`,
  accountId,
  domain: "example.com",
  selector,
  algorithm: "rsa-sha256",
  privateKey: `-----BEGIN PRIVATE KEY----- of ${selector}`,
  signsFrom: now,
  createdAt: now,
});

const smtp = (host: string, password: string): SmtpTransportSettings => ({
  kind: "smtp",
  servers: [{ host, port: 587 }],
  tls: "required",
  username: "ada",
  password,
  maxConnections: 10,
});

const policy = (name: string, password = "s3cret of the relay"): PolicyDocument => ({
  _id: `${accountId}.${name}`,
  accountId,
  name,
  default: false,
  transports: [{ kind: "sandbox" }, smtp("relay.example.com", password)],
  rules: [
    { domains: ["example.org"], transports: [smtp("partner.example.com", `${password} of the partner`)] },
  ],
  retryWaitsMs: [1000],
  updatedAt: now,
});

async function putPolicy(
  store: Store,
  { _id, accountId: account, ...content }: PolicyDocument,
): Promise<void> {
  await store.forAccount(account).policies.replace(content.name, () => content, testAudit);
}

/** A secret stored by an earlier release. */
const storeInClear = async () => {
  await raw("secrets").insertOne({ _id: "links", secret: new Binary(Buffer.alloc(32, "s3cret")) });
  await raw("domainKeys").insertOne(domainKey("hm1r"));
  await raw("policies").insertOne(policy("relay"));
};

/** All contents of the database, as octets. */
async function everything(): Promise<string> {
  const names = ["secrets", "domainKeys", "policies"];
  const documents = await Promise.all(names.map((name) => raw(name).find().toArray()));
  return documents
    .flat()
    .map((document) => Buffer.from(BSON.serialize(document)).toString("latin1"))
    .join("\n");
}

async function rotate(sealing: Sealing): Promise<RotationStep[]> {
  const { secretRotation } = storeWith(sealing);
  const steps: RotationStep[] = [];
  for (let at: RotationPosition | undefined = { collection: 0, afterId: "" }; at !== undefined; ) {
    const step = await secretRotation.step(at);
    steps.push(step);
    at = step.next;
  }
  return steps;
}

/** The same database, with `act` executed once before the first update. */
function beforeUpdate(db: Db, act: () => Promise<void>): Db {
  let acted: Promise<void> | undefined;
  const intercept = <T extends object>(target: T, name: string, method: (...args: never[]) => unknown): T =>
    new Proxy(target, {
      get: (of, key) => {
        const value = Reflect.get(of, key);
        if (key === name) return method;
        return typeof value === "function" ? value.bind(of) : value;
      },
    });
  return intercept(db, "collection", (name: string) => {
    const collection = db.collection(name);
    return intercept(collection, "updateOne", async (...args: Parameters<typeof collection.updateOne>) => {
      acted ??= act();
      await acted;
      return collection.updateOne(...args);
    });
  });
}

const sum = (steps: readonly RotationStep[], of: "seen" | "sealed") =>
  steps.reduce((total, step) => total + step[of], 0);

describe("secrets in the store", () => {
  it("are encrypted, and decrypted unchanged with any of the keys", async () => {
    const store = storeWith(sealingWith(OLD));
    const secret = await store.secrets.getOrCreate("links");
    await store.forAccount(accountId).domainKeys.insertMany([domainKey("hm1r")], testAudit);
    await putPolicy(store, policy("relay"));
    const stored = await everything();
    for (const plain of ["s3cret", "BEGIN PRIVATE KEY", secret.toString("latin1")]) {
      expect(stored).not.toContain(plain);
    }
    for (const sealing of [sealingWith(OLD), both]) {
      const reader = storeWith(sealing);
      expect(await reader.secrets.getOrCreate("links")).toEqual(secret);
      expect(await reader.forAccount(accountId).domainKeys.list("example.com")).toEqual([domainKey("hm1r")]);
      expect(await reader.forAccount(accountId).policies.find("relay")).toEqual(policy("relay"));
      expect(await reader.forAccount(accountId).policies.list({ limit: 50 })).toEqual([policy("relay")]);
    }
  });

  it("are encrypted differently each time", async () => {
    const store = storeWith(both);
    const passwords = new Set<string>();
    for (let n = 0; n < 5; n++) {
      await putPolicy(store, policy("relay"));
      const stored = await raw("policies").findOne({});
      passwords.add(stored?.transports[1].password.toString("hex"));
    }
    expect(passwords.size).toBe(5);
  });

  it("cannot be read without their key, and the fault names the key and the place", async () => {
    const store = storeWith(sealingWith(OLD));
    await store.forAccount(accountId).domainKeys.insertMany([domainKey("hm1r")], testAudit);
    const failure = storeWith(sealingWith(OTHER)).forAccount(accountId).domainKeys.list("example.com");
    await expect(failure).rejects.toMatchObject({
      code: "store.unavailable",
      message: `privateKey of acc_1.example.com.hm1r in domainKeys is encrypted with the key ${oldKey}, which is not in HERMOD_SECRET_KEYS`,
    });
  });

  it("from before encryption can be read, and are encrypted at the next write", async () => {
    await storeInClear();
    const store = storeWith(both);
    expect(await store.secrets.getOrCreate("links")).toEqual(Buffer.alloc(32, "s3cret"));
    expect(await store.forAccount(accountId).domainKeys.list("example.com")).toEqual([domainKey("hm1r")]);
    const found = await store.forAccount(accountId).policies.find("relay");
    expect(found).toEqual(policy("relay"));
    await putPolicy(store, found as PolicyDocument);
    const stored = await raw("policies").findOne({});
    expect(BSON.serialize(stored as Document).toString()).not.toContain("s3cret");
    expect(await store.forAccount(accountId).policies.find("relay")).toEqual(policy("relay"));
  });
});

describe("a moved encrypted secret", () => {
  const notStoredThere = {
    code: "store.unavailable",
    message: expect.stringContaining("is not the value that was stored there"),
  };

  it("cannot be decrypted in another document", async () => {
    const store = storeWith(both);
    await store
      .forAccount(accountId)
      .domainKeys.insertMany([domainKey("hm1r"), domainKey("hm2r")], testAudit);
    const first = await raw("domainKeys").findOne({ selector: "hm1r" });
    await raw("domainKeys").updateOne({ selector: "hm2r" }, { $set: { privateKey: first?.privateKey } });
    await expect(store.forAccount(accountId).domainKeys.list("example.com")).rejects.toMatchObject(
      notStoredThere,
    );
    await store.secrets.getOrCreate("links");
    await raw("secrets").updateOne({ _id: "links" }, { $set: { secret: first?.privateKey } });
    await expect(store.secrets.getOrCreate("links")).rejects.toMatchObject(notStoredThere);
  });

  it("cannot be decrypted in another field, or with another server in its place", async () => {
    const store = storeWith(both);
    const moves: ((policy: Document) => void)[] = [
      ({ transports, rules }) => {
        transports[1].password = rules[0].transports[0].password;
      },
      ({ transports }) => {
        transports[1].servers[0].host = "evil.example";
      },
      ({ transports }) => {
        transports[1].servers[0].port = 25;
      },
      ({ transports }) => {
        transports[1].tls = "opportunistic";
      },
      ({ transports }) => {
        transports[1].username = "eve";
      },
    ];
    for (const move of moves) {
      await putPolicy(store, policy("relay"));
      const stored = (await raw("policies").findOne({})) as Document;
      move(stored);
      await raw("policies").replaceOne({}, stored);
      await expect(store.forAccount(accountId).policies.find("relay")).rejects.toMatchObject(notStoredThere);
    }
  });

  it("cannot be decrypted if it is cut off, or changed in one bit", async () => {
    const store = storeWith(both);
    await store.secrets.getOrCreate("links");
    const stored = await raw("secrets").findOne({});
    const sealed = Buffer.from(stored?.secret.buffer);
    const flipped = Buffer.from(sealed);
    flipped.writeUInt8(flipped.readUInt8(20) ^ 1, 20);
    for (const damaged of [flipped, sealed.subarray(1), Buffer.alloc(3), Buffer.alloc(0)]) {
      await raw("secrets").updateOne({}, { $set: { secret: new Binary(damaged) } });
      await expect(store.secrets.getOrCreate("links")).rejects.toMatchObject({ code: "store.unavailable" });
    }
  });
});

describe("missing keys", () => {
  it("are reported for every place with encrypted data", async () => {
    expect(await missingSecretKeys(opened.db, both)).toEqual([]);
    expect(await hasClearSecrets(opened.db)).toBe(false);
    await storeInClear();
    expect(await hasClearSecrets(opened.db)).toBe(true);
    expect(await missingSecretKeys(opened.db, both)).toEqual([]);
    await putPolicy(storeWith(sealingWith(OLD)), policy("other"));
    await storeWith(sealingWith(OTHER))
      .forAccount(accountId)
      .domainKeys.insertMany([domainKey("hm9r")], testAudit);
    await storeWith(sealingWith(NEW)).secrets.getOrCreate("return-path");
    expect(await missingSecretKeys(opened.db, both)).toEqual([otherKey]);
    expect(await missingSecretKeys(opened.db, sealingWith(NEW))).toEqual([oldKey, otherKey].sort());
    expect(await missingSecretKeys(opened.db, sealingWith(OLD, OTHER, NEW))).toEqual([]);
  });
});

describe("a rotation", () => {
  it("encrypts everything with the first key, including plain text, and has nothing to do the second time", async () => {
    await storeInClear();
    const before = storeWith(sealingWith(OLD));
    const secret = await before.secrets.getOrCreate("return-path");
    await before.forAccount(accountId).domainKeys.insertMany([domainKey("hm2r")], testAudit);
    await putPolicy(before, policy("sealed"));
    const many = Array.from({ length: 230 }, (_, n) => policy(`p${n}`, `s3cret ${n}`));
    await raw("policies").insertMany(many);
    await putPolicy(before, { ...policy("plain"), transports: [{ kind: "sandbox" }], rules: [] });

    // The two policies that were put have a version each, one of them with a password.
    expect(await storeWith(both).secretRotation.total()).toBe(239);
    const steps = await rotate(both);
    expect([sum(steps, "seen"), sum(steps, "sealed")]).toEqual([239, 237]);
    expect(steps.every(({ seen }) => seen <= 100)).toBe(true);
    expect(sum(await rotate(both), "sealed")).toBe(0);

    const after = storeWith(sealingWith(NEW));
    expect(await missingSecretKeys(opened.db, sealingWith(NEW))).toEqual([]);
    expect(await hasClearSecrets(opened.db)).toBe(false);
    expect(await everything()).not.toMatch(/s3cret|PRIVATE KEY/);
    expect(await after.secrets.getOrCreate("return-path")).toEqual(secret);
    expect(await after.secrets.getOrCreate("links")).toEqual(Buffer.alloc(32, "s3cret"));
    expect(await after.forAccount(accountId).domainKeys.list("example.com")).toEqual([
      domainKey("hm1r"),
      domainKey("hm2r"),
    ]);
    for (const each of [policy("relay"), policy("sealed"), ...many.slice(-3)]) {
      expect(await after.forAccount(accountId).policies.find(each.name)).toEqual(each);
    }
  });

  it("encrypts bodies of system mail with the first key, and they stay readable", async () => {
    const expireAt = new Date(now.getTime() + 86_400_000);
    const content = { from: { address: "a@example.com" }, to: [], replyTo: [], subject: "x", headers: [] };
    const body = { kind: "composed", content: { ...content, text: "s3cret link", attachments: [] } } as const;
    const stored = {
      id: "cnt_1",
      accountId,
      body,
      sizeBytes: 100,
      createdAt: now,
      expireAt,
      isSecret: true,
    } as const;
    await storeWith(sealingWith(OLD)).acrossAccounts.contents.insertMany([stored]);
    expect(await missingSecretKeys(opened.db, sealingWith(NEW))).toEqual([oldKey]);
    expect(sum(await rotate(both), "sealed")).toBe(1);
    const read = await storeWith(sealingWith(NEW)).acrossAccounts.contents.loadMany(["cnt_1"]);
    expect(read.get("cnt_1")).toEqual(body);
    expect(await everything()).not.toContain("s3cret link");
    // A body that cannot be decrypted does not affect others.
    const lost = await storeWith(sealingWith(OTHER)).acrossAccounts.contents.loadMany(["cnt_1"]);
    expect(lost.get("cnt_1")).toMatchObject({ kind: "unreadable" });
  });

  it("continues after an interruption", async () => {
    await raw("policies").insertMany(Array.from({ length: 150 }, (_, n) => policy(`p${n}`)));
    const { secretRotation } = storeWith(both);
    const first = await secretRotation.step({ collection: 2, afterId: "" });
    expect(first).toMatchObject({ seen: 100, sealed: 100 });
    // A restart finds the first hundred finished.
    expect(sum(await rotate(both), "sealed")).toBe(50);
  });

  it("keeps concurrent writes", async () => {
    await putPolicy(storeWith(sealingWith(OLD)), policy("relay"));
    // Another process, with the old key first, stores a new password after this one has read the former one.
    const meanwhile = storeWith(sealingWith(OLD, NEW));
    const db = beforeUpdate(opened.db, () => putPolicy(meanwhile, policy("relay", "a new password")));
    const step = await createStore(db, both).secretRotation.step({ collection: 2, afterId: "" });
    expect(step).toMatchObject({ sealed: 1, failures: [] });
    const left = storeWith(sealingWith(NEW));
    expect(await left.forAccount(accountId).policies.find("relay")).toEqual(
      policy("relay", "a new password"),
    );
  });

  it("reports at its end the keys that concurrent writes still need", async () => {
    const { secretRotation } = storeWith(both);
    for (let at: RotationPosition | undefined = { collection: 0, afterId: "" }; at !== undefined; ) {
      const step: RotationStep = await secretRotation.step(at);
      at = step.next;
      if (at === undefined)
        expect(step.failures).toEqual([expect.stringContaining(`the key ${oldKey} is still needed`)]);
      else if (at.collection === 1) await storeWith(sealingWith(OLD)).secrets.getOrCreate("late");
    }
    expect((await rotate(both)).flatMap(({ failures }) => failures)).toEqual([]);
  });

  it("reports data that it cannot decrypt, leaves it unchanged, and continues", async () => {
    await putPolicy(storeWith(sealingWith(OTHER)), policy("lost"));
    await putPolicy(storeWith(sealingWith(OLD)), policy("relay"));
    const lost = await raw("policies").findOne({ name: "lost" });
    const steps = await rotate(both);
    // Each of the two policies has a version.
    expect(sum(steps, "sealed")).toBe(2);
    const unknown = `is encrypted with the key ${otherKey}, which is not in HERMOD_SECRET_KEYS`;
    expect(steps.flatMap(({ failures }) => failures)).toEqual([
      `transports.1.password of acc_1.lost in policies ${unknown}`,
      `transports.1.password of acc_1.policy.lost.1 in settingVersions ${unknown}`,
      `the key ${otherKey} is still needed for values that could not be decrypted or were written in the meantime`,
    ]);
    expect(await raw("policies").findOne({ name: "lost" })).toEqual(lost);
    expect(await storeWith(sealingWith(NEW)).forAccount(accountId).policies.find("relay")).toEqual(
      policy("relay"),
    );
    expect(newKey).not.toBe(oldKey);
  });
});

it("encrypts the secret of an authenticator app, and re-encrypts it when the key changes", async () => {
  const totp = { _id: "usr_1", secret: "JBSWY3DPEHPK3PXP", createdAt: now };
  await storeWith(sealingWith(OLD)).factors.beginTotp(totp);
  expect(await storeWith(sealingWith(OLD)).factors.findTotp("usr_1")).toEqual(totp);
  const [stored] = await raw("totpSecrets").find().toArray();
  expect(stored?.secret).toBeInstanceOf(Binary);
  expect(BSON.serialize(stored ?? {}).toString()).not.toContain(totp.secret);
  await expect(storeWith(sealingWith(NEW)).factors.findTotp("usr_1")).rejects.toMatchObject({
    code: "store.unavailable",
  });
  expect(await missingSecretKeys(opened.db, sealingWith(NEW))).toEqual([oldKey]);
  const { secretRotation } = storeWith(both);
  let place: RotationPosition | undefined = { collection: 0, afterId: "" };
  while (place) place = (await secretRotation.step(place)).next;
  expect(await storeWith(sealingWith(NEW)).factors.findTotp("usr_1")).toEqual(totp);
  expect(await missingSecretKeys(opened.db, sealingWith(NEW))).toEqual([]);
});
