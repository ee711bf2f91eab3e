import { expect, it } from "vitest";
import { freePort } from "./harness/tcp-proxy.ts";

it("a free port is another one for each call, also before its program listens", async () => {
  const ports = new Set<number>();
  for (let call = 0; call < 1_000; call++) ports.add(await freePort());
  expect(ports.size).toBe(1_000);
});
