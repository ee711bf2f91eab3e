import { expect, it } from "vitest";
import { allows, isScope } from "./scopes.ts";

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
