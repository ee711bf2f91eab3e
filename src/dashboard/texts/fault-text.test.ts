import { describe, expect, it } from "vitest";
import { faultCodes } from "../../../contracts/common/fault-codes.ts";
import { faultTexts, paramNamesIn } from "../../../contracts/common/fault-texts/fault-texts.ts";
import { fieldFaultCodes } from "../../../contracts/common/field-fault-codes.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { faultText } from "./fault-text.ts";

const server = new Map<string, string>(Object.values(faultTexts).flatMap((texts) => Object.entries(texts)));
const codes = { ...faultCodes, ...fieldFaultCodes };
const languages = [
  ["en", en],
  ["de", de],
] as const;

describe("the texts of faults on pages", () => {
  it.each(languages)("belong to reasons of the API, and use only params of the reason (%s)", (_, texts) => {
    for (const [reason, text] of Object.entries(texts.faults.ofReasons)) {
      const known = server.get(reason);
      expect(`${reason}: ${known === undefined ? "unknown" : "known"}`).toBe(`${reason}: known`);
      const names: readonly string[] = paramNamesIn(known ?? "");
      for (const name of paramNamesIn(text)) expect(names).toContain(name);
    }
  });

  it.each(languages)("belong to codes of the API (%s)", (_, texts) => {
    for (const code of Object.keys(texts.faults.ofCodes)) expect(codes).toHaveProperty([code]);
  });

  it("are complete in German, because the texts of the API are English", () => {
    const { ofReasons, ofCodes } = de.faults;
    expect([...server.keys()].filter((reason) => !Object.hasOwn(ofReasons, reason))).toEqual([]);
    expect(Object.keys(codes).filter((code) => !Object.hasOwn(ofCodes, code))).toEqual([]);
  });

  it("are filled with the params of the response", () => {
    const params = { reason: "role_does_not_include", role: "viewer", permission: "keys.write" };
    const text = faultText({ code: "auth.permission_missing", params }, "English.");
    expect(text).toBe("Your role, viewer, does not include keys.write. An owner or admin can change it.");
    const list = { reason: "scopes_beyond_role", scopes: ["email.send", "email.read"] };
    expect(faultText({ code: "key.grant_exceeded", params: list }, "English.")).toBe(
      "Your role does not include email.send, email.read.",
    );
  });

  it("fall back to the server's text if there is none, or if a param is missing", () => {
    const said = "The server's text.";
    for (const fault of [
      { code: "a.later_code" },
      { code: "constructor" },
      { code: "auth.permission_missing", params: { reason: "a_later_reason" } },
      { code: "auth.permission_missing", params: { reason: "constructor" } },
      { code: "auth.permission_missing", params: { reason: "role_does_not_include", role: "viewer" } },
      {
        code: "auth.permission_missing",
        params: { reason: "role_does_not_include", role: {}, permission: 1 },
      },
    ])
      expect(faultText(fault, said)).toBe(said);
    expect(faultText({ code: "auth.session_missing" }, said)).toBe("You are signed out. Sign in again.");
  });
});
