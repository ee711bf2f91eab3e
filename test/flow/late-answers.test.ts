import { once } from "node:events";
import net from "node:net";
import { afterEach, expect, it } from "vitest";
import { email, post, storedMessages } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";

let hermod: Hermod | undefined;

afterEach(() => hermod?.dispose());

it("stores nothing after a 503 that a retry does not find", async () => {
  hermod = await startHermod({ settings: { HERMOD_CORE_DEADLINE_MS: "8", HERMOD_KEY_CACHE_MS: "60000" } });
  const sends = Array.from({ length: 20 }, (_, n) => ({
    body: email({ subject: `Number ${n}`, text: "x".repeat(n % 5 === 0 ? 500_000 : 500) }),
    headers: { "idempotency-key": `late-${n}` },
  }));
  const first = await Promise.all(
    sends.map(({ body, headers }) => post(hermod as Hermod, body, { headers })),
  );
  const late = first.filter(({ status }) => status === 503);
  expect(late.length).toBeGreaterThan(0);
  hermod = await hermod.stop().then(() => hermod?.restart({ HERMOD_CORE_DEADLINE_MS: "20000" }));
  if (!hermod) return;
  for (const [index, { body, headers }] of sends.entries()) {
    const again = await post(hermod, body, { headers });
    expect(again.status).toBe(202);
    if (first[index]?.status !== 202) continue;
    expect(again.accepted.message_id).toBe(first[index]?.accepted.message_id);
  }
  expect(await storedMessages(hermod)).toBe(sends.length);
});

it("is unready while small submissions get no capacity, and ready again when they do", async () => {
  hermod = await startHermod({
    settings: {
      HERMOD_BYTES_IN_FLIGHT_MAX: "65536",
      HERMOD_HTTP_BODY_MAX_BYTES: "65536",
      HERMOD_MESSAGE_MAX_BYTES: "65536",
    },
  });
  const { firstRun, adminUrl } = hermod;
  const ready = async () => (await fetch(`${adminUrl}/readyz`)).status;
  expect(await ready()).toBe(200);
  const { hostname, port } = new URL(firstRun.base_url);
  const socket = net.connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(
    `POST /v1/send HTTP/1.1\r\nhost: x\r\nx-api-key: ${firstRun.api_key}\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n`,
  );
  await eventually(async () => (await ready()) === 503 || undefined);
  socket.destroy();
  await eventually(async () => (await ready()) === 200 || undefined);
});
