import { expect, it } from "vitest";
import type { AlertRule } from "../../api/rules.ts";
import { rulesOf } from "./rules-of.ts";

const rule = (settings: Partial<AlertRule["settings"]>) => ({ settings }) as AlertRule;

it("finds the rules that notify a target, at once or by escalation, also disabled ones", () => {
  const later = { after_seconds: 900, recipients: [], targets: ["atg_1"] };
  const rules = [
    rule({ name: "at-once", notify: { targets: ["atg_1", "atg_2"], escalation: [later] } }),
    rule({ name: "later", enabled: false, notify: { targets: [], escalation: [later] } }),
    rule({ name: "other", notify: { targets: ["atg_2"] } }),
    rule({ name: "mail" }),
  ];
  expect(rulesOf("atg_1", rules)).toEqual([
    { name: "at-once", isEnabled: true, isEscalation: false },
    { name: "later", isEnabled: false, isEscalation: true },
  ]);
});
