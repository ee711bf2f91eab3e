import { startDnsServer } from "./dns-server.ts";
import { type FakeRelay, startFakeRelay } from "./fake-relay.ts";

export interface FakeMx extends FakeRelay {
  /** Settings with which Hermod delivers mail for example.org and example.net here, by a direct transport. */
  readonly settings: Readonly<Record<string, string>>;
}

/** The mail server of example.org and example.net, with DNS that leads to it. */
export async function startFakeMx(): Promise<FakeMx> {
  const relay = await startFakeRelay();
  const dns = await startDnsServer({
    "example.org": { MX: ["10 mx.example.org"] },
    "example.net": { MX: ["10 mx.example.org"] },
    "mx.example.org": { A: ["127.0.0.1"] },
  });
  return {
    ...relay,
    settings: {
      HERMOD_DNS_SERVERS: dns.address,
      HERMOD_MX_PORT: String(relay.port),
      HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true",
      HERMOD_SMTP_TIMEOUT_MS: "3000",
    },
    close: async () => {
      await relay.close();
      await dns.close();
    },
  };
}
