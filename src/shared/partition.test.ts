import { expect, it } from "vitest";
import { createPartitionOf } from "./partition.ts";

const COUNT = 192;
const partitionOf = createPartitionOf(COUNT);

it("ten thousand accounts with a policy of the same name share out one provider's mail evenly", () => {
  const sizes = new Array<number>(COUNT).fill(0);
  for (let n = 0; n < 10_000; n++) {
    const partition = partitionOf(
      `acc_01m7yjfh8ee56psw05w${n.toString(32).padStart(4, "0")}`,
      "direct",
      "gmail.com",
    );
    sizes[partition] = (sizes[partition] ?? 0) + 1;
  }
  // By chance alone each would have 52, and seldom more or less by four standard deviations.
  expect(Math.max(...sizes)).toBeLessThan(52 + 4 * 7.2);
  expect(Math.min(...sizes)).toBeGreaterThan(52 - 4 * 7.2);
});

it("account, policy and domain each make a difference, and the case of the domain none", () => {
  const one = partitionOf("acc_1", "direct", "example.net");
  expect(partitionOf("acc_1", "direct", "Example.NET")).toBe(one);
  const others = [
    partitionOf("acc_2", "direct", "example.net"),
    partitionOf("acc_1", "bulk", "example.net"),
    partitionOf("acc_1", "direct", "example.com"),
  ];
  expect(others).not.toContain(one);
});

it("every partition is one of those that there are", () => {
  for (const count of [1, 64, 1_000]) {
    const of = createPartitionOf(count);
    for (let n = 0; n < 1_000; n++) {
      const partition = of(`acc_${n}`, "direct", "example.net");
      expect(Number.isInteger(partition) && partition >= 0 && partition < count).toBe(true);
    }
  }
});
