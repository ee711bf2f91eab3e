import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import {
  CreateKeyResponseSchema,
  KeySchema,
  ListKeysResponseSchema,
  RevokeKeyResponseSchema,
} from "../../gen/hermod/access/v1/key_service_pb.ts";
import { runHermod } from "./run-hermod.ts";

const at = timestampFromDate(new Date("2026-11-21T07:43:01.500Z"));
const key = create(KeySchema, {
  id: "key_1",
  accountId: "acc_1",
  name: "Billing",
  kind: "account",
  prefix: "hm_live_abcdefgh",
  scopeMode: "restricted",
  scopes: ["email.send"],
  createdAt: at,
});
const json = {
  id: "key_1",
  account_id: "acc_1",
  name: "Billing",
  kind: "account",
  prefix: "hm_live_abcdefgh",
  scope_mode: "restricted",
  scopes: ["email.send"],
  senders: [],
  allowed_addresses: [],
  created_at: "2026-11-21T07:43:01.500Z",
  last_used_at: null,
  revoked_at: null,
};

describe("hermod key create", () => {
  it("asks for what the options say", async () => {
    const asked: unknown[] = [];
    const createKey = async (request: unknown) => {
      asked.push(request);
      return create(CreateKeyResponseSchema, { key, secret: "hm_live_secret" });
    };
    const options = [
      "--kind",
      "smtp",
      "--name",
      "App",
      "--scope-mode",
      "restricted",
      "--scope",
      "email.send",
    ];
    const lists = ["--scope", "alert.create", "--sender", "a@example.com", "--sender", "b.example"];
    const rest = ["--allow-address", "10.0.0.0/8", "--account", "acc_1"];
    await runHermod(["key", "create", ...options, ...lists, ...rest], { core: { keys: { createKey } } });
    await runHermod(["key", "create"], { core: { keys: { createKey } } });
    expect(asked).toEqual([
      {
        accountId: "acc_1",
        kind: "smtp",
        name: "App",
        scopeMode: "restricted",
        scopes: ["email.send", "alert.create"],
        senders: ["a@example.com", "b.example"],
        allowedAddresses: ["10.0.0.0/8"],
      },
      {
        accountId: "",
        kind: "account",
        name: "",
        scopeMode: "full",
        scopes: [],
        senders: [],
        allowedAddresses: [],
      },
    ]);
  });

  it("writes the secret alone to standard output, once", async () => {
    const createKey = async () => create(CreateKeyResponseSchema, { key, secret: "hm_live_secret" });
    const ran = await runHermod(["key", "create"], { core: { keys: { createKey } } });
    expect([ran.code, ran.out, ran.closed]).toEqual([0, "hm_live_secret\n", 1]);
    expect(ran.err).toContain('"Billing" (key_1)');
    expect(ran.err).not.toContain("hm_live_secret");

    const asJson = await runHermod(["key", "create", "--json"], { core: { keys: { createKey } } });
    expect([JSON.parse(asJson.out), asJson.err]).toEqual([{ ...json, secret: "hm_live_secret" }, ""]);
  });
});

describe("hermod key list", () => {
  it("aligns its columns and colours nothing in a pipe", async () => {
    const revoked = create(KeySchema, {
      ...key,
      id: "key_22",
      name: "",
      scopeMode: "full",
      scopes: [],
      revokedAt: at,
    });
    const listKeys = async () => create(ListKeysResponseSchema, { keys: [key, revoked] });
    const ran = await runHermod(["key", "list"], { core: { keys: { listKeys } } });
    expect(ran.out).toBe(
      [
        "ID      KIND     NAME     BEGINS WITH       SCOPE                   CREATED                  LAST USED  STATUS",
        "key_1   account  Billing  hm_live_abcdefgh  restricted: email.send  2026-11-21 07:43:01 UTC  never      active",
        "key_22  account  -        hm_live_abcdefgh  full                    2026-11-21 07:43:01 UTC  never      revoked",
        "",
      ].join("\n"),
    );
    const asJson = await runHermod(["key", "list", "--json"], { core: { keys: { listKeys } } });
    expect(JSON.parse(asJson.out)).toEqual({
      data: [json, expect.objectContaining({ id: "key_22", revoked_at: "2026-11-21T07:43:01.500Z" })],
      has_more: false,
      next_cursor: null,
    });
    const coloured = await runHermod(["key", "list"], { core: { keys: { listKeys } }, tty: true });
    expect(coloured.out).toContain("\u001b[31mrevoked\u001b[39m");
  });

  it("shows the keys of all pages", async () => {
    const asked: (string | undefined)[] = [];
    const listKeys = async ({ pageToken }: { pageToken?: string }) => {
      asked.push(pageToken);
      const id = `key_${asked.length}`;
      const nextPageToken = asked.length < 3 ? `after ${id}` : "";
      return create(ListKeysResponseSchema, { keys: [{ ...key, id }], nextPageToken });
    };
    const ran = await runHermod(["key", "list", "--json"], { core: { keys: { listKeys } } });
    const { data } = JSON.parse(ran.out) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(["key_1", "key_2", "key_3"]);
    expect(asked).toEqual(["", "after key_1", "after key_2"]);
  });

  it("says so when there are none", async () => {
    const listKeys = async () => create(ListKeysResponseSchema, {});
    const ran = await runHermod(["key", "list"], { core: { keys: { listKeys } } });
    expect(ran.out).toBe("There are no keys. Make one with `hermod key create`.\n");
  });
});

describe("hermod key revoke", () => {
  it("revokes by id or prefix", async () => {
    const asked: unknown[] = [];
    const revokeKey = async (request: unknown) => {
      asked.push(request);
      return create(RevokeKeyResponseSchema, { key: { ...key, revokedAt: at } });
    };
    const ran = await runHermod(["key", "revoke", "hm_live_abcdefgh"], { core: { keys: { revokeKey } } });
    expect(asked).toEqual([{ accountId: "", key: "hm_live_abcdefgh" }]);
    expect(ran.out).toBe("Revoked the account key key_1 (hm_live_abcdefgh…) at 2026-11-21 07:43:01 UTC.\n");
  });
});
