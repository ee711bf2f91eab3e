import { afterAll, beforeAll, expect, it } from "vitest";
import { createKeyAuthenticator } from "../../src/core/access/authenticate-key.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { hashSecret, secretPrefix } from "../../src/shared/secrets.ts";
import { createKeyStore } from "../../src/store/key-store.ts";
import { testAudit, testWrites } from "../harness/audit.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

let opened: TestStore;

beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened.close());

it("accepts a sending key and a password of a former release that begin with -", async () => {
  const username = "hm_smtp_-KqB6vEd0DvD4i6rGl8H6xXwbSqnk_GWUjggJ53PKsk365317";
  const password = "-7ZEAghCUqbTtufSuwVA2P1pcbdhFzoF";
  const keys = createKeyStore(opened.db, testWrites(opened.db));
  await keys.forAccount("acc_1").insert(
    {
      _id: "key_1",
      name: "printer",
      kind: "smtp",
      prefix: secretPrefix(username),
      hash: hashSecret(username),
      passwordHash: hashSecret(password),
      scopeMode: "full",
      scopes: [],
      senders: [],
      allowedAddresses: [],
      createdAt: new Date(),
    },
    testAudit,
  );
  const authenticator = createKeyAuthenticator({ keys: keys.acrossAccounts, clock: systemClock, cacheMs: 0 });
  const demand = { kind: "smtp", scope: "email.send", surface: "http", clientAddress: "192.0.2.1" } as const;
  expect(await authenticator.authenticate(username, { ...demand, password })).toMatchObject({ _id: "key_1" });
  const wrong = { ...demand, password: password.slice(1) };
  await expect(authenticator.authenticate(username, wrong)).rejects.toMatchObject({
    code: "auth.key_invalid",
  });
});
