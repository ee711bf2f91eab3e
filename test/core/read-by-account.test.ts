import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ListKeysRequestSchema } from "../../gen/hermod/access/v1/key_service_pb.ts";
import {
  GetMessageRequestSchema,
  ListMessagesRequestSchema,
} from "../../gen/hermod/message/v1/message_service_pb.ts";
import { ListPoliciesRequestSchema } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import {
  ClearSandboxMessagesRequestSchema,
  GetSandboxMessageRequestSchema,
  ListSandboxMessagesRequestSchema,
} from "../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import { RotateSecretsRequestSchema } from "../../gen/hermod/secret/v1/secret_service_pb.ts";
import { ListSendersRequestSchema } from "../../gen/hermod/sender/v1/sender_service_pb.ts";
import { ListSuppressionsRequestSchema } from "../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { ListTemplatesRequestSchema } from "../../gen/hermod/template/v1/template_service_pb.ts";
import { createListKeys } from "../../src/core/keys/list-keys.ts";
import { createGetMessage, createListMessages } from "../../src/core/messages.ts";
import { createListPolicies } from "../../src/core/policies/policies.ts";
import {
  createClearSandboxMessages,
  createGetSandboxMessage,
  createListSandboxMessages,
} from "../../src/core/sandbox.ts";
import { createRotateSecrets } from "../../src/core/secrets.ts";
import { createListSenders } from "../../src/core/senders/senders.ts";
import { createListSuppressions } from "../../src/core/suppressions/list-suppressions.ts";
import { createListTemplates } from "../../src/core/templates/put-template.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { newId, newIdInBucket } from "../../src/shared/ids.ts";
import type { MessageState } from "../../src/shared/message-state.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { OPERATOR, testAudit } from "../harness/audit.ts";
import { messageDocument } from "../harness/message-document.ts";
import { damage, invalidUtf8 } from "../harness/raw-documents.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const MINE = "acc_mine";
const THEIRS = "acc_theirs";
const TRACE = "sx_01m7yjfh6cxgam4v943sfeygwy";

let opened: TestStore;
let store: Store;
/** By account, in the order of their arrival. */
const ids: Record<string, string[]> = { [MINE]: [], [THEIRS]: [] };

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
  await opened.db.collection<{ _id: string }>("accounts").insertMany([{ _id: MINE }, { _id: THEIRS }]);
  const start = Date.now();
  for (let n = 0; n < 6; n++) {
    const accountId = n % 2 === 0 ? MINE : THEIRS;
    const id = newIdInBucket("msg", new Date(start + n), 7);
    ids[accountId]?.push(id);
    const state: MessageState = n < 2 ? "bounced" : "delivered";
    const at = new Date(start + n);
    await store.acrossAccounts.messages.insertMany([
      messageDocument({ _id: id, accountId, traceId: TRACE, state }),
    ]);
    const captured = {
      traceId: TRACE,
      envelopeFrom: "",
      envelopeTo: [],
      from: "",
      subject: "",
      capturedAt: at,
    };
    await store.acrossAccounts.sandbox.insertMissing([
      { ...captured, id, accountId, source: Buffer.from("x"), expireAt: new Date(start + 1e9) },
    ]);
    await store.forAccount(accountId).suppressions.add(
      {
        addressKey: `a${n}@example.org`,
        address: `a${n}@example.org`,
        reason: "manual",
        createdAt: at,
      },
      testAudit,
    );
  }
});
afterAll(() => opened.close());

const mine = () => ids[MINE] ?? [];
const theirs = () => ids[THEIRS] ?? [];

describe("a message of another account", () => {
  const unknown = { code: "message.unknown" };

  it("is unknown, by its id and by its trace id", async () => {
    const get = createGetMessage({ store });
    const ask = (id = "", accountId = MINE) =>
      get(create(GetMessageRequestSchema, { id, accountId }), OPERATOR);
    expect((await ask(mine()[0])).message?.id).toBe(mine()[0]);
    await expect(ask(theirs()[0])).rejects.toMatchObject(unknown);
    expect((await ask(theirs()[0], "")).message?.id).toBe(theirs()[0]);
    expect((await ask(TRACE, THEIRS)).message?.accountId).toBe(THEIRS);
    await expect(ask(TRACE, "acc_other")).rejects.toMatchObject(unknown);
  });

  it("is unknown when it is damaged, which only its own account and the operator learn", async () => {
    const id = theirs()[2] ?? "";
    await damage(opened.db, "messages", id, invalidUtf8("Hello"));
    const get = createGetMessage({ store });
    const ask = (accountId: string) => get(create(GetMessageRequestSchema, { id, accountId }), OPERATOR);
    await expect(ask(MINE)).rejects.toMatchObject(unknown);
    for (const accountId of [THEIRS, ""])
      await expect(ask(accountId)).rejects.toMatchObject({ code: "message.unreadable" });
  });

  it("is unknown to an account call without an account", async () => {
    const request = create(GetMessageRequestSchema, { id: mine()[0] ?? "" });
    const answer = createGetMessage({ store })(request, { actor: "account" });
    await expect(answer).rejects.toMatchObject({ code: "internal.error" });
  });

  it("is unknown in the sandbox, too", async () => {
    const list = createListSandboxMessages({ store });
    const listed = await list(
      create(ListSandboxMessagesRequestSchema, { accountId: MINE, pageSize: 2 }),
      OPERATOR,
    );
    const next = { accountId: MINE, pageToken: listed.nextPageToken ?? "" };
    const rest = await list(create(ListSandboxMessagesRequestSchema, next), OPERATOR);
    expect([...(listed.messages ?? []), ...(rest.messages ?? [])].map(({ id }) => id)).toEqual(
      mine().toReversed(),
    );
    const get = createGetSandboxMessage({ store });
    const ask = (id = "") => get(create(GetSandboxMessageRequestSchema, { id, accountId: MINE }), OPERATOR);
    expect((await ask(mine()[0])).message?.id).toBe(mine()[0]);
    await expect(ask(theirs()[0])).rejects.toMatchObject(unknown);
  });

  it("is not removed when the own sandbox is cleared", async () => {
    const clear = createClearSandboxMessages({ store });
    const request = create(ClearSandboxMessagesRequestSchema, { accountId: MINE });
    expect(await clear(request, OPERATOR)).toEqual({ deleted: 3 });
    expect((await store.acrossAccounts.sandbox.list({ beforeId: undefined, limit: 10 })).length).toBe(3);
  });
});

describe("a list of messages in one state", () => {
  const list = (changes: { state?: string; pageSize?: number; pageToken?: string }) =>
    createListMessages({ store })(create(ListMessagesRequestSchema, { accountId: MINE, ...changes }), {
      actor: "account",
    });

  it("is complete over its pages, for any number of messages in the state", async () => {
    const first = await list({ state: "delivered", pageSize: 1 });
    const rest = await list({ state: "delivered", pageToken: first.nextPageToken ?? "" });
    const found = [...(first.messages ?? []), ...(rest.messages ?? [])];
    expect([found.map(({ id }) => id), rest.nextPageToken]).toEqual([mine().slice(1).toReversed(), ""]);
  });

  it("continues after the messages that were read, even if none matched", async () => {
    const accountId = "acc_large";
    const now = Date.now();
    const rare = newIdInBucket("msg", new Date(now), 7);
    const many = Array.from({ length: 3_500 }, (_, n) =>
      messageDocument({ _id: newIdInBucket("msg", new Date(now + 1 + n), 7), accountId, state: "captured" }),
    );
    await store.acrossAccounts.messages.insertMany([
      messageDocument({ _id: rare, accountId, state: "delivered" }),
      ...many,
    ]);
    const { messages } = store.forAccount(accountId);
    const page = await messages.list({ filter: { states: ["delivered"] }, limit: 10 });
    expect(page.messages).toEqual([]);
    const { nextBeforeId: beforeId = "" } = page;
    const next = await messages.list({ filter: { states: ["delivered"] }, limit: 10, beforeId });
    expect(next.messages.map(({ _id }) => _id)).toEqual([rare]);
    expect(next.nextBeforeId).toBeUndefined();
  });
});

describe("a list of an account's resources is complete over its pages, and in order", () => {
  const numbers = [0, 1, 2, 3, 4];
  const at = new Date();
  interface Asked {
    readonly accountId: string;
    readonly pageSize: number;
    readonly pageToken: string;
  }
  interface Answer {
    readonly nextPageToken?: string;
  }

  /** Entries of a list, page by page. */
  async function pages<T extends Answer>(ask: (asked: Asked) => Promise<T>): Promise<T[]> {
    const found: T[] = [];
    let pageToken = "";
    do {
      const page = await ask({ accountId: MINE, pageSize: 2, pageToken });
      found.push(page);
      pageToken = page.nextPageToken ?? "";
    } while (pageToken !== "");
    return found;
  }

  it("keys", async () => {
    for (const n of numbers) {
      for (const accountId of [MINE, THEIRS]) {
        const _id = newId("key", new Date(at.getTime() + n));
        await store.forAccount(accountId).keys.insert(
          {
            _id,
            name: `${n}`,
            kind: "account",
            prefix: _id,
            hash: _id,
            scopeMode: "full",
            scopes: [],
            senders: [],
            allowedAddresses: [],
            createdAt: at,
          },
          testAudit,
        );
      }
    }
    const found = await pages((asked) =>
      createListKeys({ store, clock: systemClock })(create(ListKeysRequestSchema, asked)),
    );
    const names = found.map(({ keys = [] }) => keys.map(({ name }) => name));
    expect(names).toEqual([["0", "1"], ["2", "3"], ["4"]]);
  });

  it("senders", async () => {
    for (const n of numbers) {
      for (const accountId of [MINE, THEIRS]) {
        const value = `${n}:ü@example.org`;
        const _id = newId("snd", at);
        await store
          .forAccount(accountId)
          .senders.add({ _id, kind: "address", value, verifiedAt: at }, testAudit);
      }
    }
    const found = await pages((asked) =>
      createListSenders({ store })(create(ListSendersRequestSchema, asked)),
    );
    const values = found.map(({ senders = [] }) => senders.map(({ value }) => value?.slice(0, 1)));
    expect(values).toEqual([["0", "1"], ["2", "3"], ["4"]]);
  });

  it("policies", async () => {
    for (const n of numbers) {
      for (const accountId of [MINE, THEIRS]) {
        const transports = [{ kind: "sandbox" as const }];
        const policy = { name: `p${n}`, default: false, transports, updatedAt: at };
        await store.forAccount(accountId).policies.replace(policy.name, () => policy, testAudit);
      }
    }
    const found = await pages((asked) =>
      createListPolicies({ store })(create(ListPoliciesRequestSchema, asked), { actor: "account" }),
    );
    const names = found.map(({ policies = [] }) => policies.map(({ name }) => name));
    expect(names).toEqual([["p0", "p1"], ["p2", "p3"], ["p4"]]);
  });

  it("templates", async () => {
    for (const n of numbers) {
      for (const accountId of [MINE, THEIRS]) {
        const definition = { name: `t${n}`, subject: "Hello", variables: [] };
        await store
          .forAccount(accountId)
          .templates.publish({ name: `t${n}`, definition, createdAt: at }, testAudit);
      }
    }
    const found = await pages((asked) =>
      createListTemplates({ store })(create(ListTemplatesRequestSchema, asked)),
    );
    const names = found.map(({ templates = [] }) => templates.map(({ template }) => template?.name));
    expect(names).toEqual([["t0", "t1"], ["t2", "t3"], ["t4"]]);
  });
});

describe("an unknown page token is refused", () => {
  const accountId = MINE;
  const lists: [name: string, ask: (pageToken: string) => Promise<unknown>][] = [
    [
      "messages",
      (pageToken) =>
        createListMessages({ store })(create(ListMessagesRequestSchema, { accountId, pageToken }), {
          actor: "account",
        }),
    ],
    [
      "suppressions",
      (pageToken) =>
        createListSuppressions({ store, clock: systemClock })(
          create(ListSuppressionsRequestSchema, { accountId, pageToken }),
          { actor: "account" },
        ),
    ],
    [
      "captured messages",
      (pageToken) =>
        createListSandboxMessages({ store })(
          create(ListSandboxMessagesRequestSchema, { pageToken }),
          OPERATOR,
        ),
    ],
    [
      "keys",
      (pageToken) =>
        createListKeys({ store, clock: systemClock })(
          create(ListKeysRequestSchema, { accountId, pageToken }),
        ),
    ],
    [
      "senders",
      (pageToken) => createListSenders({ store })(create(ListSendersRequestSchema, { accountId, pageToken })),
    ],
    [
      "policies",
      (pageToken) =>
        createListPolicies({ store })(create(ListPoliciesRequestSchema, { accountId, pageToken }), {
          actor: "account",
        }),
    ],
    [
      "templates",
      (pageToken) =>
        createListTemplates({ store })(create(ListTemplatesRequestSchema, { accountId, pageToken })),
    ],
    [
      "secrets",
      (pageToken) =>
        createRotateSecrets({ store })(create(RotateSecretsRequestSchema, { pageToken }), OPERATOR),
    ],
  ];
  const another = Buffer.from(`${THEIRS}:a1@example.org:`).toString("base64url");

  it.each(lists)("%s", async (_name, ask) => {
    for (const token of ["zzz", "msg_", "\u0000", "x".repeat(100_000), another]) {
      await expect(ask(token)).rejects.toMatchObject({
        code: "request.validation_failed",
        errors: [{ pointer: "/page_token", code: "field.invalid" }],
      });
    }
  });
});
