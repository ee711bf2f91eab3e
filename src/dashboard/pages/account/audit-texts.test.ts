import { describe, expect, it } from "vitest";
import { actionText, filterText } from "./audit-texts.ts";

describe("texts of the audit log", () => {
  it.each([
    ["policy.make_default", "Policy: make default"],
    ["alert_rule.put", "Alert rule: put"],
    ["policy", "Policy"],
    ["", ""],
  ])("show the action %j as %j", (action, text) => {
    expect(actionText(action)).toBe(text);
  });

  it("name a resource as its page does, and a single action as an entry does", () => {
    expect(filterText("policy")).toBe("Routing policies");
    expect(filterText("policy.put")).toBe("Policy: put");
  });
});
