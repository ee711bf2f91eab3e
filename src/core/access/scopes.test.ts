import { expect, it } from "vitest";
import { scopesOfKind } from "../../../contracts/common/permissions.ts";
import { allows, grantableModes, grantableScopes, readsOwnOnly } from "./scopes.ts";

it("a wildcard covers only its resource", () => {
  expect(allows({ scopeMode: "restricted", scopes: ["email.*"] }, "email.send")).toBe(true);
  expect(allows({ scopeMode: "restricted", scopes: ["email.*"] }, "alerts.ingest")).toBe(false);
});

it("a new key can have the scopes of its kind and their wildcards", () => {
  expect(grantableScopes("deliverability")).toEqual(["intel.read", "intel.write", "intel.*"]);
  expect(grantableScopes("smtp")).toEqual(["email.send", "email.*"]);
});

it("every mode and scope of a new key permits an operation of its kind", () => {
  for (const kind of ["account", "deliverability", "smtp"] as const) {
    const keys = [
      ...grantableModes[kind]
        .filter((mode) => mode !== "restricted")
        .map((scopeMode) => ({ scopeMode, scopes: [] })),
      ...grantableScopes(kind).map((scope) => ({ scopeMode: "restricted" as const, scopes: [scope] })),
    ];
    for (const key of keys) expect(scopesOfKind[kind].some((scope) => allows(key, scope))).toBe(true);
  }
});

it("a send-only key can read, but not cancel", () => {
  const key = { scopeMode: "send_only", scopes: [] } as const;
  expect([allows(key, "email.read"), allows(key, "email.cancel")]).toEqual([true, false]);
});

it("a key for one program sees only messages that it has sent", () => {
  expect(readsOwnOnly({ scopeMode: "send_only", senders: [] })).toBe(true);
  expect(readsOwnOnly({ scopeMode: "restricted", senders: ["shop.example"] })).toBe(true);
  expect(readsOwnOnly({ scopeMode: "full", senders: ["shop.example"] })).toBe(true);
  expect(readsOwnOnly({ scopeMode: "full", senders: [] })).toBe(false);
});
