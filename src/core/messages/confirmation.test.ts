import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { createConfirmations } from "./confirmation.ts";

const confirmations = createConfirmations(randomBytes(32));
const by = { accountId: "acc_1", actorId: "usr_1", canonical: '["cancel",["msg_1"]]' };
const tallied = { count: 312, at: new Date("2030-01-02T09:00:00Z") };
const given = confirmations.encode({ ...by, ...tallied });

it("a confirmation contains the count that its holder received", () => {
  expect(confirmations.decode(given, by)).toEqual(tallied);
});

it.each([{ accountId: "acc_2" }, { actorId: "usr_2" }, { canonical: '["retry",["msg_1"]]' }])(
  "a confirmation is invalid for any other request (%j)",
  (other) => {
    expect(confirmations.decode(given, { ...by, ...other })).toBeUndefined();
  },
);

it("a changed or foreign confirmation is invalid", () => {
  const [time = "", count = "", mac = ""] = given.split(".");
  const later = (Number.parseInt(time, 36) + 60_000).toString(36);
  const elsewhere = createConfirmations(randomBytes(32)).encode({ ...by, ...tallied });
  for (const wrong of [
    "",
    "..",
    `${later}.${count}.${mac}`,
    `${time}.1.${mac}`,
    `zzzzzzzzzzzz.${count}.${mac}`,
    `${given}=`,
    elsewhere,
  ])
    expect(confirmations.decode(wrong, by)).toBeUndefined();
});
