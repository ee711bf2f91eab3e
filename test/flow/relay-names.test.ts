import { afterAll, beforeAll, expect, it } from "vitest";
import { type FakeMx, startFakeMx } from "../harness/fake-mx.ts";
import { email, post } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";

let mx: FakeMx;
let hermod: Hermod;
beforeAll(async () => {
  mx = await startFakeMx();
  hermod = await startHermod({ settings: mx.settings });
});
afterAll(async () => {
  await hermod.dispose();
  await mx.close();
});

it("resolves the name of a relay at HERMOD_DNS_SERVERS", async () => {
  // The system's resolver does not have the name.
  const servers = [{ host: "mx.example.org", port: mx.port }];
  const transports = [{ kind: { case: "smtp" as const, value: { servers, tls: "none" } } }];
  await hermod.core.policies.putPolicy({ policy: { name: "relay", default: true, transports } });
  const { accepted } = await post(hermod, email({ to: "ada@example.net" }));
  const state = await eventually(async () => {
    const { message } = await hermod.core.messages.getMessage({ id: accepted.message_id });
    return ["accepted", "queued", "sending"].includes(message?.state ?? "") ? undefined : message?.state;
  });
  expect(state).toBe("delivered");
});
