import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message, MessagePage } from "../../api/messages.ts";
import { withChanges, withFreshRows, withNewest } from "./live-rows.ts";

const at = (second: number) => new Date(1_800_000_000_000 + second * 1_000).toISOString();
const row = (id: string, state = "queued", second = 0, more: Partial<Message> = {}) =>
  ({ id, state, updated_at: at(second), attempts: 0, category: "", ...more }) as Message;
const page = (ids: readonly string[]): MessagePage => ({ data: ids.map((id) => row(id)), has_more: true });
const change = (message_id: string, kind: string, second: number, attempt = 1) => {
  const id = `${message_id}.${attempt}.${kind}`;
  return { id, message_id, kind, at: at(second), attempt, category: "" };
};
const idsOf = (pages: readonly MessagePage[]) => pages.flatMap(({ data }) => data.map(({ id }) => id));

describe("the rows of a live list", () => {
  it("change their state in place, and keep the object of a row that has not changed", () => {
    const pages = [page(["d", "c"]), page(["b", "a"])];
    const next = withChanges(pages, [change("b", "delivered", 5), change("unknown", "bounced", 5)]);
    expect(idsOf(next)).toEqual(["d", "c", "b", "a"]);
    expect(next[1]?.data[0]).toMatchObject({ state: "delivered", attempts: 1, updated_at: at(5) });
    expect(next[0]).toBe(pages[0]);
    expect(next[1]?.data[1]).toBe(pages[1]?.data[1]);
  });

  it("drop the next attempt and the reply of the previous state", () => {
    const deferred = row("a", "deferred", 1, { next_attempt_at: at(60) });
    const [first] = withChanges([{ data: [deferred], has_more: false }], [change("a", "delivered", 60, 2)]);
    expect(first?.data[0]).not.toHaveProperty("next_attempt_at");
  });

  it.each([
    ["an earlier state that is reported late", change("a", "deferred", 4)],
    ["what is no state", change("a", "opened", 9)],
  ])("do not change for %s", (_, late) => {
    const pages = [{ data: [row("a", "delivered", 5)], has_more: false }];
    expect(withChanges(pages, [late])).toBe(pages);
    expect(withFreshRows(pages, [row("a", "deferred", 4)])).toBe(pages);
  });

  it("never move, appear or disappear because of any changes and fresh rows", () => {
    const id = fc.constantFrom(..."abcdefgh");
    const kind = fc.constantFrom("delivered", "deferred", "bounced", "opened", "accepted", "later");
    const changes = fc.array(fc.tuple(id, kind, fc.nat(100)).map(([one, what, s]) => change(one, what, s)));
    const fresh = fc.array(fc.tuple(id, kind, fc.nat(100)).map(([one, state, s]) => row(one, state, s)));
    fc.assert(
      fc.property(changes, fresh, (some, rows) => {
        const pages = [page(["h", "g", "e"]), page(["c", "a"])];
        const next = withFreshRows(withChanges(pages, some), rows);
        expect(idsOf(next)).toEqual(idsOf(pages));
        const latest = (one: string) =>
          Math.max(
            0,
            ...some
              .filter(({ message_id, kind: k }) => message_id === one && !/^(opened|accepted|later)$/.test(k))
              .map((x) => Date.parse(x.at)),
            ...rows.filter((x) => x.id === one).map((x) => Date.parse(x.updated_at)),
          );
        for (const { id: one, updated_at } of next.flatMap(({ data }) => data))
          expect(Date.parse(updated_at)).toBe(Math.max(Date.parse(at(0)), latest(one)));
      }),
    );
  });

  it("begin with new messages that connect to them, in the order of the API", () => {
    const next = withNewest([page(["d", "b"]), page(["a"])], page(["f", "e", "d", "c", "b"]));
    expect(idsOf(next)).toEqual(["f", "e", "d", "c", "b", "a"]);
  });

  it("are replaced by the fresh page if messages in between may be missing", () => {
    const fresh = page(["z", "y"]);
    expect(withNewest([page(["d", "b"])], fresh)).toEqual([fresh]);
    expect(withNewest([], fresh)).toEqual([fresh]);
  });
});
