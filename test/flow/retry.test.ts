import { afterAll, beforeAll, expect, it } from "vitest";
import { email, post } from "../harness/http.ts";
import { type MailNetwork, startMailNetwork } from "../harness/mail-network.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";

let network: MailNetwork;
let hermod: Hermod;
beforeAll(async () => {
  network = await startMailNetwork({ "grey.test": { greylistMs: 1 } });
  hermod = await startHermod({ settings: network.settings });
});
afterAll(async () => {
  await hermod.dispose();
  await network.close();
});

const messages = () => hermod.core.messages;
const until = (id: string, state: string) =>
  eventually(async () => {
    const { message } = await messages().getMessage({ id });
    return message?.state === state ? message : undefined;
  });

it("sends a deferred message immediately and once, for any number of retry requests", async () => {
  const transports = [{ kind: { case: "direct" as const, value: {} } }];
  await hermod.core.policies.putPolicy({ policy: { name: "direct", default: true, transports } });
  const { accepted } = await post(hermod, email({ to: "ada@grey.test" }));
  const id = accepted.message_id;
  const deferred = await until(id, "deferred");
  expect(Number(deferred.nextAttemptAt?.seconds) * 1_000).toBeGreaterThan(Date.now() + 10_000);

  await Promise.all(Array.from({ length: 5 }, () => messages().retryMessage({ id })));
  await until(id, "delivered");
  expect(network.receipts.get(id)).toHaveLength(1);
  const { timeline } = await messages().getMessage({ id });
  expect(timeline.map(({ kind }) => kind)).toEqual(["accepted", "deferred", "delivered"]);
  await expect(messages().retryMessage({ id })).rejects.toMatchObject({ code: "message.not_retryable" });
});
