import { afterAll, beforeAll, expect, it } from "vitest";
import { findBody } from "../../src/message/header/source-headers.ts";
import { email, post } from "../harness/http.ts";
import { type MailNetwork, startMailNetwork } from "../harness/mail-network.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { envelopeTo, plainSource } from "../harness/submission.ts";

const PASSWORD = "uncommon words of everybody";

let network: MailNetwork;
let hermod: Hermod;
let cookie = "";
beforeAll(async () => {
  network = await startMailNetwork({
    "good.test": { keepsSource: true },
    "bad.test": { replies: { rcpt: "550 5.1.1 no such user" } },
  });
  hermod = await startHermod({ settings: network.settings });
  const transports = [{ kind: { case: "direct" as const, value: {} } }];
  await hermod.core.policies.putPolicy({ policy: { name: "direct", default: true, transports } });
  const { email: address, password } = hermod.firstRun.dashboard;
  await ask("POST", "/api/session", { email: address, password });
  await ask("POST", "/api/session/password", { current_password: password, new_password: PASSWORD });
});
afterAll(async () => {
  await hermod?.dispose();
  await network?.close();
});

/** Sends a request like a page of the dashboard. */
async function ask(method: string, route: string, body?: object, key?: string) {
  const { base_url: url } = hermod.firstRun;
  const answer = await fetch(url + route, {
    method,
    headers: {
      origin: url,
      ...(body && { "content-type": "application/json" }),
      ...(cookie && { cookie }),
      ...(key !== undefined && { "idempotency-key": key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const [fresh] = answer.headers.getSetCookie();
  cookie = fresh?.split(";")[0] ?? cookie;
  // biome-ignore lint/suspicious/noExplicitAny: each call knows what it asks for
  return { status: answer.status, body: (await answer.json()) as any };
}

const until = (id: string, state: string) =>
  eventually(async () => {
    const { body } = await ask("GET", `/api/messages/${id}`);
    return body.message?.state === state ? body : undefined;
  });

/** Header lines and body of the one message that the server has received. */
function received(id: string): { readonly lines: string[]; readonly body: string } {
  const [receipt, ...others] = network.receipts.get(id) ?? [];
  if (!receipt?.source || others.length > 0) throw new Error(`${id} was not taken once`);
  const bodyAt = findBody(receipt.source);
  const lines = receipt.source.subarray(0, bodyAt).toString("latin1").split("\r\n");
  return { lines, body: receipt.source.subarray(bodyAt).toString("latin1") };
}

it("resends a delivered message with the same body, once per key", async () => {
  const html = "<p>Hello <b>Ada</b>, caf\u00e9</p>";
  const { accepted } = await post(hermod, email({ to: "ada@good.test", html, tags: ["welcome"] }));
  const former = accepted.message_id;
  await until(former, "delivered");
  const answers = [];
  for (let n = 0; n < 3; n++)
    answers.push(await ask("POST", `/api/messages/${former}/resend`, undefined, "one"));
  const [first] = answers;
  expect(answers.map(({ status, body }) => [status, body.id])).toEqual(Array(3).fill([202, first?.body.id]));
  const id = first?.body.id;
  const delivered = await until(id, "delivered");
  expect(delivered.message).toMatchObject({
    resent_from: former,
    tags: ["welcome"],
    recipient: "ada@good.test",
  });
  const [before, after] = [received(former), received(id)];
  // Names of parts are derived from the Message-ID.
  const boundary = /^--\S+?(--)?$/gm;
  const text = (body: string) => body.replaceAll("\r", "").replaceAll(boundary, "--");
  expect(text(after.body)).toBe(text(before.body));
  expect(after.lines.find((line) => line.startsWith("Message-ID"))).toContain(id);
  expect((await until(former, "delivered")).timeline.at(-1)).toMatchObject({
    kind: "resent",
    detail: `as ${id}`,
  });
});

it("resends a message from SMTP unchanged, except for its Message-ID and the signatures", async () => {
  const source = plainSource("Message-ID: <mine@example.com>", "X-Odd:  Spaces\t ");
  const { messageIds } = await hermod.core.submissions.submit(envelopeTo(hermod, ["ada@good.test"]), source);
  const former = messageIds[0] ?? "";
  await until(former, "delivered");
  const { body } = await ask("POST", `/api/messages/${former}/resend`);
  await until(body.id, "delivered");
  const [copy] = network.receipts.get(body.id) ?? [];
  const all = [...network.receipts.values()].flat();
  const first = all.find(({ source }) => source?.includes("Message-ID: <mine@example.com>"));
  const withoutSignatures = (bytes: Buffer | undefined) => {
    const text = bytes?.toString("latin1") ?? "";
    return text.slice(text.indexOf("Received:"));
  };
  expect(withoutSignatures(copy?.source)).toContain("X-Odd:  Spaces\t ");
  const expected = withoutSignatures(first?.source).replace("<mine@example.com>", `<${body.id}@example.com>`);
  expect(withoutSignatures(copy?.source)).toBe(expected);
});

it("sends nothing to a recipient that was suppressed in the meantime", async () => {
  const { accepted } = await post(hermod, email({ to: "nobody@bad.test" }));
  await until(accepted.message_id, "bounced");
  const { status, body } = await ask("POST", `/api/messages/${accepted.message_id}/resend`);
  expect(status).toBe(202);
  await until(body.id, "suppressed");
});

it("resends many messages by a job, each once", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) {
    const { accepted } = await post(hermod, email({ to: `u${n}@good.test`, tags: ["many"] }));
    ids.push(accepted.message_id);
  }
  for (const id of ids) await until(id, "delivered");
  const bulk = { action: "resend", ids };
  const counted = await ask("POST", "/api/messages/bulk", bulk);
  expect(counted.body).toMatchObject({ count: 20, actionable: 20 });
  const { confirmation } = counted.body;
  const begun = await ask("POST", "/api/messages/bulk", { ...bulk, confirmation });
  await eventually(async () => {
    const { body } = await ask("GET", `/api/jobs/${begun.body.id}`);
    return body.state === "succeeded" && body.done === 20 ? body : undefined;
  });
  const { body: list } = await ask("GET", "/api/messages?tag=many&limit=100");
  const copies = list.data.filter(({ resent_from }: { resent_from: string }) => resent_from !== "");
  expect(copies.map(({ resent_from }: { resent_from: string }) => resent_from).toSorted()).toEqual(
    ids.toSorted(),
  );
  for (const { id } of copies) {
    await until(id, "delivered");
    expect(network.receipts.get(id)).toHaveLength(1);
  }
});
