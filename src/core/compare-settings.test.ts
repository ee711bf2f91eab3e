import fc from "fast-check";
import { expect, it } from "vitest";
import { compareSettings } from "./compare-settings.ts";

// Objects of parsed JSON have a prototype.
const JSON_OBJECT = { noNullPrototype: true };
const entry = fc.record({ a: fc.nat(3), b: fc.constantFrom("x", "y") }, JSON_OBJECT);
const setting = fc.record(
  {
    name: fc.constantFrom("one", "two"),
    list: fc.array(entry, { maxLength: 5 }),
    plain: fc.array(fc.nat(3), { maxLength: 3 }),
  },
  JSON_OBJECT,
);

it("finds no difference between equal settings, and one between different ones", () => {
  fc.assert(
    fc.property(setting, setting, (before, after) => {
      expect(compareSettings(before, structuredClone(before))).toEqual([]);
      const isSame = JSON.stringify(before) === JSON.stringify(after);
      expect(compareSettings(before, after).length === 0).toBe(isSame);
    }),
  );
});

it("reports an inserted entry of a list as one difference", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(50), { minLength: 1, maxLength: 8 }), fc.nat(8), (ids, at) => {
      const list = ids.map((id) => ({ id }));
      const index = Math.min(at, list.length);
      const after = list.toSpliced(index, 0, { id: 99 });
      const change = { field: `list.${index}`, after: '{"id":99}', secret: false };
      expect(compareSettings({ list }, { list: after })).toEqual([change]);
      const removed = { field: `list.${index}`, before: '{"id":99}', secret: false };
      expect(compareSettings({ list: after }, { list })).toEqual([removed]);
    }),
  );
});

it("never shows a secret, also not within an added part", () => {
  const secrets = new Set(["password"]);
  const before = { list: [{ user: "ada", password: "one" }] };
  const after = {
    list: [
      { user: "ada", password: "two" },
      { user: "eve", password: "three" },
    ],
  };
  const changes = compareSettings(before, after, secrets);
  expect(changes).toEqual([
    { field: "list.0.password", secret: true },
    { field: "list.1", after: '{"user":"eve"}', secret: false },
  ]);
});
