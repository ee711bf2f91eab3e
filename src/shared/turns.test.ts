import { expect, it } from "vitest";
import { createTurns } from "./turns.ts";

/** A task that ends when it is told to. */
function held() {
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, over };
}

it("runs tasks with the same key one after the other, also after one has failed, and others beside them", async () => {
  const turns = createTurns(10);
  const begun: string[] = [];
  const first = held();
  const one = turns("a", async () => {
    begun.push("one");
    await first.over;
    throw new Error("no");
  });
  const two = turns("a", async () => void begun.push("two"));
  const three = turns("a", async () => void begun.push("three"));
  await turns("b", async () => void begun.push("other"));
  expect(begun).toEqual(["one", "other"]);
  first.end();
  await expect(one).rejects.toThrow("no");
  await Promise.all([two, three]);
  expect(begun).toEqual(["one", "other", "two", "three"]);
});

it("has so many wait, and refuses others", async () => {
  const turns = createTurns(1);
  const first = held();
  const running = turns("a", () => first.over);
  const waiting = turns("a", async () => "done");
  await expect(turns("a", async () => "never")).rejects.toMatchObject({ code: "service.busy" });
  first.end();
  await running;
  expect(await waiting).toBe("done");
  expect(await turns("a", async () => "again")).toBe("again");
});
