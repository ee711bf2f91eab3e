import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { KeyDocument } from "../../src/store/documents.ts";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";

const ADDRESS = "ada@shop.example";
const HOUR_MS = 3_600_000;
const key = { senders: [] as readonly string[] } as KeyDocument;

let world: Dashboard;
let accountId: string;
beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.identity.openAccount();
  // Mails to one address are throttled.
  world.identity.time.pass(25 * HOUR_MS);
});

const senders = () => world.identity.operator.senders;
const ask = (value = ADDRESS) => senders().verifySender({ accountId, value });

async function maySend(address = ADDRESS): Promise<boolean> {
  const sending = world.identity.verifySender(address, { ...key, accountId });
  return sending.then(
    () => true,
    () => false,
  );
}

/** Path of the last mailed link. */
function lastLink(to = ADDRESS): string {
  const text = world.identity.mails(to).at(-1)?.text ?? "";
  return /https?:\/\/[^/]+(\/sender\/\w+)$/m.exec(text)?.[1] ?? "";
}

const browser = { accept: "text/html", host: "mail.example.com" };

const open = (path: string) => world.app.inject({ method: "GET", url: path, headers: browser });

const press = (path: string, body = "confirm=yes") =>
  world.app.inject({
    method: "POST",
    url: path,
    headers: { ...browser, "content-type": "application/x-www-form-urlencoded" },
    payload: body,
  });

describe("an address", () => {
  it("may send after the reader of its mail has pressed the button, and not after opening the link", async () => {
    const { sender } = await ask();
    expect(sender).toMatchObject({ value: ADDRESS, verifiedBy: "", kind: "address" });
    expect(sender?.verifiedAt).toBeUndefined();
    const path = lastLink();
    for (let visit = 0; visit < 3; visit++) {
      const page = await open(path);
      expect(page.statusCode).toBe(200);
      expect(page.body).toContain(ADDRESS);
      expect(page.body).toContain("Acme");
      expect(page.headers["referrer-policy"]).toBe("no-referrer");
    }
    expect((await world.app.inject({ method: "HEAD", url: path, headers: browser })).statusCode).toBe(200);
    expect(await maySend()).toBe(false);
    const pressed = await press(path);
    expect([pressed.statusCode, pressed.body.includes("verified")]).toEqual([200, true]);
    expect(await maySend()).toBe(true);
    const { senders: list } = await senders().listSenders({ accountId });
    expect(list).toMatchObject([{ value: ADDRESS, verifiedBy: "link" }]);
    expect(list[0]?.linkExpiresAt).toBeUndefined();
    expect(await maySend("bob@shop.example")).toBe(false);
  });

  it("is verified by a link once, for its account only", async () => {
    await ask();
    const path = lastLink();
    expect((await press(path)).statusCode).toBe(200);
    for (const again of [await press(path), await open(path)]) {
      expect([again.statusCode, again.body.includes("does not work")]).toEqual([404, true]);
    }
    accountId = await world.identity.openAccount("Other");
    expect(await maySend()).toBe(false);
  });

  it("that is requested again gets a new link, which invalidates the former one", async () => {
    await ask();
    const first = lastLink();
    await ask();
    const second = lastLink();
    expect(second).not.toBe(first);
    expect((await press(first)).statusCode).toBe(404);
    expect(await maySend()).toBe(false);
    expect((await press(second)).statusCode).toBe(200);
    const before = world.identity.mails(ADDRESS).length;
    expect((await ask()).sender).toMatchObject({ verifiedBy: "link" });
    expect(world.identity.mails(ADDRESS)).toHaveLength(before);
  });

  it("is not verified by a link of the previous day, or for a removed sender", async () => {
    await ask();
    const old = lastLink();
    world.identity.time.pass(24 * HOUR_MS);
    expect((await press(old)).statusCode).toBe(404);
    await ask();
    const next = lastLink();
    await senders().removeSender({ accountId, value: ADDRESS });
    expect((await press(next)).statusCode).toBe(404);
    expect(await maySend()).toBe(false);
  });

  it("is verified by one of many parallel confirmations", async () => {
    await ask();
    const path = lastLink();
    const answers = await Promise.all([press(path), press(path), press(path)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 404, 404]);
  });

  it("receives a limited number of mails", async () => {
    for (let mail = 0; mail < 3; mail++) await ask();
    await expect(ask()).rejects.toMatchObject({ code: "mail.throttled" });
    world.identity.time.pass(60_000);
    await ask();
  });

  it("that the operator vouches for is verified immediately, with or without a link", async () => {
    await ask();
    expect((await senders().addSender({ accountId, value: ADDRESS })).sender).toMatchObject({
      verifiedBy: "operator",
    });
    expect(await maySend()).toBe(true);
    expect((await press(lastLink())).statusCode).toBe(404);
    expect((await senders().listSenders({ accountId })).senders).toHaveLength(1);
  });

  it("with an invalid form is refused, and so is a domain", async () => {
    for (const value of ["shop.example", "", "ada@", "Ada <ada@shop.example>, bob@shop.example"])
      await expect(ask(value)).rejects.toMatchObject({ errors: [{ pointer: "/value" }] });
    expect((await senders().listSenders({ accountId })).senders).toEqual([]);
  });
});

describe("a link", () => {
  it.each(["/sender/none", `/sender/${"x".repeat(900)}`, "/sender/%00"])(
    "that is invalid shows an error: %s",
    async (path) => {
      for (const answer of [await open(path), await press(path)]) {
        expect(answer.statusCode).toBe(404);
        expect(answer.body).toContain("does not work");
      }
      const problem = await world.app.inject({ method: "GET", url: path });
      expect(problem.json()).toMatchObject({ code: "sender.link_invalid" });
    },
  );

  it("is only accepted with the body of the form", async () => {
    await ask();
    for (const body of ["", "confirm=no", "x=yes"])
      expect((await press(lastLink(), body)).statusCode).toBe(422);
    expect(await maySend()).toBe(false);
  });

  it("shows a name as text, never as markup, and omits a name that resembles a link", async () => {
    for (const [name, shown] of [
      ["<b>Acme</b> & Sons", false],
      ["Acme & Sons", true],
      ["visit evil.example now", false],
    ] as const) {
      const { account } = await world.identity.operator.accounts.createAccount({ name });
      accountId = account?.id ?? "";
      world.identity.time.pass(25 * HOUR_MS);
      await ask();
      const { body } = await open(lastLink());
      expect([name, body.includes("Acme &amp; Sons")]).toEqual([name, shown]);
      expect(body).not.toContain("<b>");
      expect(body).not.toContain("evil.example");
    }
  });
});

it("without Hermod's own mail, an address cannot be verified by a link, and nothing is stored", async () => {
  const silent = await openDashboard({ hasMail: false });
  const of = await silent.identity.openAccount();
  const asking = silent.identity.operator.senders.verifySender({ accountId: of, value: ADDRESS });
  await expect(asking).rejects.toMatchObject({ code: "mail.not_configured" });
  expect((await silent.identity.operator.senders.listSenders({ accountId: of })).senders).toEqual([]);
  await silent.close();
});
