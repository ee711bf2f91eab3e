import { describe, expect, it } from "vitest";
import { createPreviewSlots } from "../../src/core/templates/preview-slots.ts";

/** A preview that runs until it is released. */
function held() {
  let release = () => {};
  const ended = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { render: () => ended, release };
}

describe("previews of templates", () => {
  it("run one after the other, and four of an account run or wait", async () => {
    const inSlot = createPreviewSlots();
    const first = held();
    const begun: number[] = [];
    const rest = [1, 2, 3].map((number) =>
      inSlot("acc_1", () => {
        begun.push(number);
        return number;
      }),
    );
    const all = [...rest, inSlot("acc_1", first.render)];
    await expect(inSlot("acc_1", () => 5)).rejects.toMatchObject({ code: "service.busy" });
    const other = inSlot("acc_2", () => "other");
    await Promise.all(rest);
    expect(begun).toEqual([1, 2, 3]);
    // The fourth one still runs: the next account waits for it, and the first one has three free slots.
    const more = inSlot("acc_1", () => 6);
    first.release();
    expect(await other).toBe("other");
    expect(await more).toBe(6);
    await Promise.all(all);
  });

  it("let other work run before each of them", async () => {
    const inSlot = createPreviewSlots();
    const order: string[] = [];
    const previews = [1, 2].map((number) => inSlot("acc_1", () => order.push(`preview ${number}`)));
    setImmediate(() => order.push("other work"));
    await Promise.all(previews);
    expect(order.indexOf("other work")).toBeLessThan(order.indexOf("preview 2"));
  });

  it("give their slot back after an error", async () => {
    const inSlot = createPreviewSlots();
    for (let count = 0; count < 6; count++) {
      const failing = inSlot("acc_1", () => {
        throw new Error("broken");
      });
      await expect(failing).rejects.toThrow("broken");
    }
    expect(await inSlot("acc_1", () => 1)).toBe(1);
  });

  it("of all accounts are bounded", async () => {
    const inSlot = createPreviewSlots();
    const first = held();
    const all = Array.from({ length: 20 }, (_, count) => inSlot(`acc_${count}`, first.render));
    await expect(inSlot("acc_new", () => 1)).rejects.toMatchObject({ code: "service.busy" });
    first.release();
    await Promise.all(all);
  });
});
