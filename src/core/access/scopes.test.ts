import { expect, it } from "vitest";
import { allows, isScope, readsOwnOnly } from "./scopes.ts";

it("a wildcard covers its resource and nothing else", () => {
  expect(allows({ scopeMode: "restricted", scopes: ["email.*"] }, "email.send")).toBe(true);
  expect(allows({ scopeMode: "restricted", scopes: ["email.*"] }, "alerts.ingest")).toBe(false);
  expect([isScope("email.*"), isScope("email.send"), isScope("*"), isScope("email")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it("a key that sends alone reads, and cancels nothing", () => {
  const key = { scopeMode: "send_only", scopes: [] } as const;
  expect([allows(key, "email.read"), allows(key, "email.cancel")]).toEqual([true, false]);
});

it("a key that is made for one program sees what that has sent", () => {
  expect(readsOwnOnly({ scopeMode: "send_only", senders: [] })).toBe(true);
  expect(readsOwnOnly({ scopeMode: "restricted", senders: ["shop.example"] })).toBe(true);
  expect(readsOwnOnly({ scopeMode: "full", senders: ["shop.example"] })).toBe(true);
  expect(readsOwnOnly({ scopeMode: "full", senders: [] })).toBe(false);
});
