import { generateKeyPairSync } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Domain, DomainSchema } from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import { createDeliver } from "../../src/delivery/deliver.ts";
import { createSmtpTransport } from "../../src/delivery/transports/smtp.ts";
import type { DkimSigner } from "../../src/message/dkim/sign.ts";
import { systemClock as clock } from "../../src/shared/clock.ts";
import { smtpTimeouts } from "../../src/smtp-client/smtp-timeouts.ts";
import type { SmtpTransportSettings, TransportSettings } from "../../src/store/policy-document.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { type ScriptedServer, startScriptedServer } from "../harness/scripted-server.ts";
import { signatures, verified } from "../harness/verify-dkim.ts";

const SES = "email-smtp.eu-west-1.amazonaws.com";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

let rsa: DkimSigner;
let ed25519: DkimSigner;
let domain: Domain;

beforeAll(() => {
  const rsaPair = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const edPair = generateKeyPairSync("ed25519");
  rsa = { selector: "r", algorithm: "rsa-sha256", privateKey: rsaPair.privateKey };
  ed25519 = { selector: "e", algorithm: "ed25519-sha256", privateKey: edPair.privateKey };
  const spki = (pair: typeof rsaPair) => pair.publicKey.export({ format: "der", type: "spki" });
  domain = create(DomainSchema, {
    keys: [
      {
        selector: "r",
        algorithm: "rsa-sha256",
        recordValue: `v=DKIM1; p=${spki(rsaPair).toString("base64")}`,
      },
      {
        selector: "e",
        algorithm: "ed25519-sha256",
        recordValue: `v=DKIM1; k=ed25519; p=${spki(edPair).subarray(-32).toString("base64")}`,
      },
    ],
  });
});

/** Accepts one DKIM-Signature field and answers two of them as Amazon SES does. */
async function sesLike(): Promise<ScriptedServer> {
  const server = await startScriptedServer();
  server.script = {
    end: async () =>
      signatures(server.messages.at(-1)?.raw ?? "").length > 1
        ? "554 Transaction failed: Duplicate header 'DKIM-Signature'."
        : "250 Ok 0102018f",
  };
  closing.push(server.close);
  return server;
}

interface Relay extends Partial<Pick<SmtpTransportSettings, "dkim">> {
  readonly host: string;
  readonly server: ScriptedServer;
}

const header = ["From: Ada <ada@example.com>", "To: bob@example.net", "Subject: Plans"];
const signedElsewhere = "DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=x; h=from; bh=AA==; b=AA==";

/** Delivers a message over these relays, in this order; each name leads to its server. */
async function deliver(
  relays: readonly Relay[],
  { lines = header, signers = [rsa, ed25519] }: { lines?: string[]; signers?: readonly DkimSigner[] } = {},
) {
  const transports = relays.map(
    ({ host, server, dkim }): SmtpTransportSettings => ({
      kind: "smtp",
      servers: [{ host, port: server.port }],
      tls: "none",
      maxConnections: 1,
      ...(dkim && { dkim }),
    }),
  );
  const transportFor = (settings: TransportSettings) => {
    if (settings.kind !== "smtp") throw new Error("only relays are expected here");
    const transport = createSmtpTransport({
      settings,
      heloName: "out.example.com",
      timeouts: smtpTimeouts(3_000),
      clock,
      findAddresses: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    closing.push(transport.close);
    return transport;
  };
  const attempt = createDeliver({
    checkSuppression: async () => undefined,
    suppressionMs: undefined,
    returnPathOf: (message) => message.from,
    loadBody: async () => undefined,
    findPolicy: async () => ({
      _id: "acc_test.default",
      accountId: "acc_test",
      name: "default",
      default: true,
      transports,
      updatedAt: clock.now(),
    }),
    findSigners: async () => signers,
    unsubscribeUrl: undefined,
    trackHtml: undefined,
    transportFor,
    clock,
    maxAgeMs: 3_600_000,
    maxHops: 10,
    retentionMs: 1_000,
  });
  const source = Buffer.from([...lines, "", "Hello.", ""].join("\r\n"));
  return attempt(queuedMessage(clock.now(), { operation: "smtp.submit" }), { body: { kind: "raw", source } });
}

/** The algorithms of the signatures on the last message of a server, each of which must hold. */
function algorithmsAt(server: ScriptedServer): string[] {
  const source = server.messages.at(-1)?.raw ?? "";
  const found = signatures(source).map(({ a = "" }) => a);
  expect(verified(source, domain).toSorted()).toEqual(found.toSorted());
  return found.toSorted();
}

describe("a relay of a provider that refuses two DKIM-Signature fields", () => {
  it.each([
    SES,
    "EMAIL-SMTP-FIPS.us-east-1.amazonaws.com.",
    "vpce-0a1b-2c.email-smtp.eu-west-1.vpce.amazonaws.com",
  ])("accepts a message by %s, which is signed only with RSA", async (host) => {
    const server = await sesLike();
    const { event } = await deliver([{ host, server }]);
    expect(event).toMatchObject({ kind: "delivered" });
    expect(algorithmsAt(server)).toEqual(["rsa-sha256"]);
  });

  it("receives one signature if the domain has no RSA key", async () => {
    const server = await sesLike();
    const { event } = await deliver([{ host: SES, server }], { signers: [ed25519] });
    expect([event.kind, algorithmsAt(server)]).toEqual(["delivered", ["ed25519-sha256"]]);
  });

  it("receives a message that its sender has signed with only that signature", async () => {
    for (const dkim of [undefined, "rsa", "ed25519"] as const) {
      const server = await sesLike();
      const { event } = await deliver([{ host: SES, server, ...(dkim && { dkim }) }], {
        lines: [signedElsewhere, ...header],
      });
      expect(event).toMatchObject({ kind: "delivered" });
      expect(signatures(server.messages.at(-1)?.raw ?? "").map(({ s }) => s)).toEqual(["x"]);
    }
  });

  it("receives both signatures if the policy requires them, and the bounce names the setting", async () => {
    const server = await sesLike();
    const { event } = await deliver([{ host: SES, server, dkim: "both" }]);
    expect(event).toMatchObject({ kind: "bounced", category: "policy", replyCode: 554 });
    expect(algorithmsAt(server)).toEqual(["ed25519-sha256", "rsa-sha256"]);
  });
});

describe("the setting `dkim` of a transport", () => {
  it.each([
    [undefined, ["ed25519-sha256", "rsa-sha256"]],
    ["both", ["ed25519-sha256", "rsa-sha256"]],
    ["rsa", ["rsa-sha256"]],
    ["ed25519", ["ed25519-sha256"]],
    ["none", []],
  ] as const)("%s signs with %j", async (dkim, algorithms) => {
    const server = await startScriptedServer();
    closing.push(server.close);
    const { event } = await deliver([{ host: "relay.example", server, ...(dkim && { dkim }) }]);
    expect([event.kind, algorithmsAt(server)]).toEqual(["delivered", algorithms]);
  });

  it("applies to each transport of a policy: the next one signs by its own setting", async () => {
    const first = await startScriptedServer({ MAIL: "452 4.3.1 no space" });
    const second = await sesLike();
    closing.push(first.close);
    const { event } = await deliver([
      { host: "relay.example", server: first },
      { host: SES, server: second },
    ]);
    expect(event).toMatchObject({ kind: "delivered", via: `smtp ${SES}:${second.port}` });
    expect(algorithmsAt(second)).toEqual(["rsa-sha256"]);
  });

  it("signs with one algorithm only if the domain has that key", async () => {
    const server = await startScriptedServer();
    closing.push(server.close);
    const { event } = await deliver([{ host: "relay.example", server, dkim: "rsa" }], { signers: [ed25519] });
    expect([event.kind, algorithmsAt(server)]).toEqual(["delivered", []]);
  });
});
