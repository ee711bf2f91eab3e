import { expect, it } from "vitest";
import { fault } from "../../shared/fault.ts";
import { createCheckSender } from "./check-sender.ts";
import type { Credential, Submissions } from "./relay-rules.ts";

const ada: Credential = { username: "hm_smtp_1", password: "secret", clientAddress: "192.0.2.1" };

/** A core that permits this address, and what it was asked. */
function core(permitted: string) {
  const asked: string[] = [];
  const submissions = {
    checkSender: async (_credential: Credential, address: string) => {
      asked.push(address);
      if (address !== permitted) throw fault("sender.unverified");
    },
  } as unknown as Submissions;
  return { asked, check: createCheckSender(submissions, 60_000) };
}

it("asks once for many messages of one sender", async () => {
  const { asked, check } = core("ada@example.com");
  for (let i = 0; i < 3; i++) expect(await check(ada, "ada@example.com")).toBeUndefined();
  expect(asked).toEqual(["ada@example.com"]);
});

it("asks again for whatever differs: key, password, client, address", async () => {
  const { asked, check } = core("ada@example.com");
  await check(ada, "ada@example.com");
  await check({ ...ada, username: "hm_smtp_2" }, "ada@example.com");
  await check({ ...ada, password: "guessed" }, "ada@example.com");
  await check({ ...ada, clientAddress: "192.0.2.2" }, "ada@example.com");
  expect(await check(ada, "eve@example.com")).toMatchObject({ code: 550 });
  expect(asked.length).toBe(5);
});

it("does not remember a refusal", async () => {
  const { asked, check } = core("ada@example.com");
  for (let i = 0; i < 2; i++) await check(ada, "eve@example.com");
  expect(asked.length).toBe(2);
});
