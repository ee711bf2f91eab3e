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
const credential = create(KeySchema, {
  id: "key_1",
  accountId: "acc_1",
  name: "Printer",
  kind: "smtp",
  prefix: "hm_smtp_abcdefgh",
  scopeMode: "send_only",
  senders: ["printer@example.com"],
  createdAt: at,
});
const accountKey = create(KeySchema, {
  ...credential,
  id: "key_2",
  kind: "account",
  prefix: "hm_live_abcdefgh",
});
const listKeys = async () => create(ListKeysResponseSchema, { keys: [accountKey, credential] });

describe("hermod smtp-credential create", () => {
  it("creates a sending key that can only send, and shows it with its password", async () => {
    const asked: unknown[] = [];
    const createKey = async (request: unknown) => {
      asked.push(request);
      return create(CreateKeyResponseSchema, {
        key: credential,
        secret: "hm_smtp_secret",
        password: "secret",
      });
    };
    const lists = ["--sender", "printer@example.com", "--allow-address", "192.0.2.10"];
    const argv = ["smtp-credential", "create", "--name", "Printer", ...lists];
    const ran = await runHermod(argv, { core: { keys: { createKey } } });
    expect([ran.code, ran.out]).toEqual([0, "username: hm_smtp_secret\npassword: secret\n"]);
    expect(ran.err).toContain('"Printer" (key_1)');
    expect(ran.err).not.toContain("secret\n");
    expect(asked).toEqual([
      {
        accountId: "",
        kind: "smtp",
        name: "Printer",
        scopeMode: "send_only",
        senders: ["printer@example.com"],
        allowedAddresses: ["192.0.2.10"],
      },
    ]);
    const asJson = await runHermod([...argv, "--json"], { core: { keys: { createKey } } });
    expect(JSON.parse(asJson.out)).toMatchObject({
      username: "hm_smtp_secret",
      password: "secret",
      kind: "smtp",
    });
  });

  it("also shows the password of a sending key of `hermod key create`", async () => {
    const createKey = async () =>
      create(CreateKeyResponseSchema, { key: credential, secret: "hm_smtp_secret", password: "secret" });
    const ran = await runHermod(["key", "create", "--kind", "smtp"], { core: { keys: { createKey } } });
    expect(ran.out).toBe("hm_smtp_secret\nsecret\n");
  });
});

describe("hermod smtp-credential list", () => {
  it("lists only sending keys", async () => {
    const ran = await runHermod(["smtp-credential", "list"], { core: { keys: { listKeys } } });
    expect(ran.out).toContain("hm_smtp_abcdefgh");
    expect(ran.out).toContain("printer@example.com");
    expect(ran.out).not.toContain("hm_live_");
    const asJson = await runHermod(["smtp-credential", "list", "--json"], { core: { keys: { listKeys } } });
    expect(JSON.parse(asJson.out).data).toEqual([expect.objectContaining({ id: "key_1", kind: "smtp" })]);
  });
});

describe("hermod smtp-credential revoke", () => {
  it("revokes a sending key, and no key of another kind", async () => {
    const asked: unknown[] = [];
    const revokeKey = async (request: unknown) => {
      asked.push(request);
      return create(RevokeKeyResponseSchema, { key: { ...credential, revokedAt: at } });
    };
    const core = { keys: { listKeys, revokeKey } };
    const ran = await runHermod(["smtp-credential", "revoke", "hm_smtp_abcdefgh"], { core });
    expect(asked).toEqual([{ accountId: "", key: "key_1" }]);
    expect(ran.out).toBe(
      "Revoked the SMTP credential key_1 (hm_smtp_abcdefgh…) at 2026-11-21 07:43:01 UTC.\n",
    );
    const refused = await runHermod(["smtp-credential", "revoke", "key_2"], { core });
    expect([refused.code, refused.out, asked.length]).toEqual([1, "", 1]);
  });
});
