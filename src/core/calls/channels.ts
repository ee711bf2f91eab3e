import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import {
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  connectivityState,
  credentials,
  Metadata,
} from "@grpc/grpc-js";
import { parseHostPort } from "../../shared/host-port.ts";

/** Largest gRPC message either way: the largest HTTP body and some room. */
export const MAX_GRPC_MESSAGE_BYTES = 64 * 1024 * 1024;

/** PEM files; missing: plain text. */
export type CallerTls =
  | { readonly ca: string; readonly cert?: string | undefined; readonly key?: string | undefined }
  | undefined;

/** A channel to one core. It connects by itself, and again whenever it has to. */
export function openChannel(address: string, tls: CallerTls, options: ChannelOptions = {}): Client {
  return new Client(address, channelCredentials(tls), {
    "grpc.max_receive_message_length": MAX_GRPC_MESSAGE_BYTES,
    "grpc.max_send_message_length": MAX_GRPC_MESSAGE_BYTES,
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 1000,
    ...options,
  });
}

function channelCredentials(tls: CallerTls): ChannelCredentials {
  if (!tls) return credentials.createInsecure();
  return credentials.createSsl(
    readFileSync(tls.ca),
    tls.key ? readFileSync(tls.key) : null,
    tls.cert ? readFileSync(tls.cert) : null,
  );
}

/** What a caller of the core presents with every call. */
export function callerMetadata(token: string): Metadata {
  const metadata = new Metadata();
  metadata.set("authorization", `Bearer ${token}`);
  return metadata;
}

export interface Channels {
  /** A channel to make a call over: those that are connected take turns. */
  pick(deadline: Date): Client | Promise<Client>;
  close(): void;
}

/** A name may stand for several cores: all of its addresses take part. */
const everyAddress: ChannelOptions = {
  "grpc.service_config": JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  "grpc.service_config_disable_resolution": 1,
};

/** Channels to every core of a comma-separated list; one that is away is passed over. */
export function openChannels(addresses: string, tls: CallerTls): Channels {
  const clients = addresses.split(",").map((part) => {
    const address = part.trim();
    const named = isIP(parseHostPort(address)?.host ?? "") === 0;
    return openChannel(address, tls, named ? everyAddress : {});
  });
  const [only] = clients;
  let turn = 0;

  async function connected(deadline: Date): Promise<Client> {
    for (;;) {
      const states = clients.map((client) => ({
        client,
        // Asking sets out to connect: one that is away is tried again by and by.
        state: client.getChannel().getConnectivityState(true),
      }));
      const ready = states.filter(({ state }) => state === connectivityState.READY);
      const pending = states.filter(({ state }) => state !== connectivityState.TRANSIENT_FAILURE);
      // With none that could still come, the call itself says what is wrong.
      const choice = ready.length > 0 ? ready : pending.length > 0 && new Date() < deadline ? [] : states;
      const picked = choice[turn++ % Math.max(1, choice.length)];
      if (picked) return picked.client;
      await Promise.race(pending.map(({ client, state }) => changed(client, state, deadline)));
    }
  }

  return {
    pick: (deadline) => (only && clients.length === 1 ? only : connected(deadline)),
    close: () => {
      for (const client of clients) client.close();
    },
  };
}

function changed(client: Client, from: connectivityState, deadline: Date): Promise<void> {
  return new Promise((resolve) => {
    client.getChannel().watchConnectivityState(from, deadline, () => resolve());
  });
}
