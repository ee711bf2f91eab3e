import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import {
  CreateKeyResponseSchema,
  GetKeyResponseSchema,
  KeySchema,
  ListKeysResponseSchema,
  ListKeyUsesResponseSchema,
  RenameKeyResponseSchema,
  ReplaceKeyAccessResponseSchema,
  RevokeKeyResponseSchema,
  RotateKeyResponseSchema,
} from "../../gen/hermod/access/v1/key_service_pb.ts";
import { runHermod } from "./run-hermod.ts";

const at = timestampFromDate(new Date("2126-11-21T07:43:01.500Z"));
const key = create(KeySchema, {
  id: "key_1",
  accountId: "acc_1",
  name: "Billing",
  kind: "account",
  prefix: "hm_live_abcdefgh",
  scopeMode: "restricted",
  scopes: ["email.send"],
  createdAt: at,
  revision: "r1",
  state: "active",
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
  created_at: "2126-11-21T07:43:01.500Z",
  last_used_at: null,
  last_used_from: "",
  last_used_by: "",
  unused: false,
  revoked_at: null,
  expires_at: null,
  superseded_at: null,
  workspace_id: null,
  revision: "r1",
  state: "active",
};

describe("hermod key create", () => {
  it("passes on the options", async () => {
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
    const rest = ["--allow-address", "10.0.0.0/8", "--account", "acc_1", "--workspace", "ws_1"];
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
        workspaceId: "ws_1",
      },
      {
        accountId: "",
        kind: "account",
        name: "",
        scopeMode: "full",
        scopes: [],
        senders: [],
        allowedAddresses: [],
        workspaceId: "",
      },
    ]);
  });

  it("writes only the secret to standard output, once", async () => {
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
  it("aligns its columns and writes no colors to a pipe", async () => {
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
        "key_1   account  Billing  hm_live_abcdefgh  restricted: email.send  2126-11-21 07:43:01 UTC  never      active",
        "key_22  account  -        hm_live_abcdefgh  full                    2126-11-21 07:43:01 UTC  never      revoked",
        "",
      ].join("\n"),
    );
    const asJson = await runHermod(["key", "list", "--json"], { core: { keys: { listKeys } } });
    expect(JSON.parse(asJson.out)).toEqual({
      data: [json, expect.objectContaining({ id: "key_22", revoked_at: "2126-11-21T07:43:01.500Z" })],
      has_more: false,
      next_cursor: null,
    });
    const coloured = await runHermod(["key", "list"], { core: { keys: { listKeys } }, tty: true });
    expect(coloured.out).toContain("\u001b[31mrevoked\u001b[39m");
  });

  it("says so when there are none", async () => {
    const listKeys = async () => create(ListKeysResponseSchema, {});
    const ran = await runHermod(["key", "list"], { core: { keys: { listKeys } } });
    expect(ran.out).toBe("There are no keys. Create one with `hermod key create`.\n");
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
    expect(ran.out).toBe("Revoked the account key key_1 (hm_live_abcdefgh…) at 2126-11-21 07:43:01 UTC.\n");
  });
});

describe("hermod key rotate", () => {
  it("writes only the new secret, and reports when the former key expires", async () => {
    const asked: unknown[] = [];
    const rotateKey = async (request: unknown) => {
      asked.push(request);
      const former = { ...key, id: "key_0", expiresAt: at, supersededAt: at };
      return create(RotateKeyResponseSchema, { key, secret: "hm_live_secret", former });
    };
    const core = { keys: { rotateKey } };
    const ran = await runHermod(["key", "rotate", "key_0", "--overlap", "24h"], { core });
    expect(ran.out).toBe("hm_live_secret\n");
    expect(ran.err).toContain("key_0, which expires at 2126-11-21 07:43:01 UTC");
    const { out } = await runHermod(["key", "rotate", "key_0", "--json"], { core });
    expect(JSON.parse(out)).toMatchObject({
      ...json,
      secret: "hm_live_secret",
      former: { id: "key_0", expires_at: "2126-11-21T07:43:01.500Z" },
    });
    expect(asked).toEqual([
      { accountId: "", key: "key_0", overlapSeconds: 86_400 },
      { accountId: "", key: "key_0", overlapSeconds: 0 },
    ]);
  });

  it.each(["24", "1w", "h", "-1h", "1.5h"])("refuses the overlap %s", async (overlap) => {
    const ran = await runHermod(["key", "rotate", "key_0", `--overlap=${overlap}`]);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("for example 30m, 24h or 7d")]);
  });
});

it("hermod key rename renames a key", async () => {
  const renameKey = async () => create(RenameKeyResponseSchema, { key });
  const { out } = await runHermod(["key", "rename", "key_1", "Billing"], { core: { keys: { renameKey } } });
  expect(out).toBe('Renamed the key key_1 to "Billing".\n');
});

describe("hermod key edit", () => {
  const restricted = { scopeMode: "restricted", senders: ["a.example"], allowedAddresses: ["192.0.2.1"] };
  const edit = async (...options: string[]) => {
    const asked: unknown[] = [];
    const shown = create(KeySchema, { ...key, ...restricted, expiresAt: at });
    const getKey = async () => create(GetKeyResponseSchema, { key: shown });
    const replaceKeyAccess = async (request: unknown) => {
      asked.push(request);
      return create(ReplaceKeyAccessResponseSchema, { key });
    };
    const ran = await runHermod(["key", "edit", "key_1", ...options], {
      core: { keys: { getKey, replaceKeyAccess } },
    });
    return { ...ran, asked };
  };
  const former = { key: "key_1", ...restricted, scopes: ["email.send"], ifRevision: "r1", expiresAt: at };

  it("keeps settings without an option, and undoes no change of others", async () => {
    const { asked, out } = await edit("--sender", "b.example", "--sender", "c.example");
    expect(asked).toEqual([{ ...former, accountId: "", senders: ["b.example", "c.example"] }]);
    expect(out).toBe(
      "Changed the key key_1: restricted: email.send, senders all, addresses all, expires never.\n",
    );
  });

  it("clears lists and the expiry", async () => {
    const { asked } = await edit(
      "--sender=",
      "--allow-address=",
      "--expires",
      "never",
      "--scope-mode",
      "full",
    );
    const { expiresAt: _, ...unended } = former;
    const open = { scopeMode: "full", scopes: [], senders: [], allowedAddresses: [] };
    expect(asked).toEqual([{ ...unended, ...open, accountId: "" }]);
  });
});

it("hermod key list filters by kind, state and text", async () => {
  const asked: unknown[] = [];
  const listKeys = async (request: unknown) => {
    asked.push(request);
    return create(ListKeysResponseSchema, {});
  };
  const core = { core: { keys: { listKeys } } };
  await runHermod(["key", "list", "--kind", "smtp", "--state", "unused", "--query", "shop"], core);
  await runHermod(["smtp-credential", "list", "--state", "expired"], core);
  expect(asked).toMatchObject([
    { kind: "smtp", state: "unused", query: "shop" },
    { kind: "smtp", state: "expired", query: "" },
  ]);
});

it.each([
  ["expires 2126-11-21 07:43:01 UTC", { expiresAt: at }],
  ["rotated, expires 2126-11-21 07:43:01 UTC", { expiresAt: at, supersededAt: at }],
  ["expired", { expiresAt: timestampFromDate(new Date(0)) }],
  ["rotated", { expiresAt: timestampFromDate(new Date(0)), supersededAt: at }],
  ["unused for 30 days", { unused: true }],
  ["active", {}],
])("hermod key list shows that a key is %s", async (status, fields) => {
  const listKeys = async () =>
    create(ListKeysResponseSchema, { keys: [create(KeySchema, { ...key, ...fields })] });
  const { out } = await runHermod(["key", "list"], { core: { keys: { listKeys } } });
  expect(out.trimEnd().endsWith(status)).toBe(true);
});

describe("hermod key uses", () => {
  const used = { ...key, lastUsedAt: at, lastUsedFrom: "192.0.2.1", lastUsedBy: "http" };
  const days = [
    { day: "2126-11-21", http: 12, smtp: 3, grpc: 0 },
    { day: "2126-11-20", http: 1, smtp: 0, grpc: 0 },
  ];
  const keysWith = (shown: object, counted: object[]) => {
    const asked: unknown[] = [];
    const getKey = async () => create(GetKeyResponseSchema, { key: create(KeySchema, shown) });
    const listKeyUses = async (request: unknown) => {
      asked.push(request);
      return create(ListKeyUsesResponseSchema, { days: counted });
    };
    return { asked, core: { keys: { getKey, listKeyUses } } };
  };

  it("shows each day, and the last use", async () => {
    const { asked, core } = keysWith(used, days);
    const ran = await runHermod(["key", "uses", "key_1", "--days", "7"], { core });
    expect(asked).toEqual([{ accountId: "", key: "key_1", days: 7 }]);
    expect(ran.out.split("\n").map((line) => line.trim().split(/ +/))).toEqual([
      ["DAY", "HTTP", "SMTP", "GRPC"],
      ["2126-11-21", "12", "3", "0"],
      ["2126-11-20", "1", "0", "0"],
      [""],
    ]);
    expect(ran.err).toContain("Last used at 2126-11-21 07:43:01 UTC by http from 192.0.2.1.");
    const { out } = await runHermod(["key", "uses", "key_1", "--json"], { core });
    expect(JSON.parse(out)).toMatchObject({ id: "key_1", last_used_from: "192.0.2.1", uses: days });
  });

  it("says so when there are none", async () => {
    const { core } = keysWith(key, []);
    const ran = await runHermod(["key", "uses", "key_1"], { core });
    expect([ran.out, ran.err]).toEqual([
      "No uses in 30 days.\n",
      expect.stringContaining("The key has not been used yet."),
    ]);
  });
});
