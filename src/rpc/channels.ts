import { readFileSync } from "node:fs";
import { type ChannelCredentials, type ChannelOptions, Client, credentials, Metadata } from "@grpc/grpc-js";
import type { CoreEndpoint } from "./endpoints.ts";

/** Largest gRPC message in both directions: the largest HTTP body plus a reserve. */
export const MAX_GRPC_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * Interval after which a core that stopped responding is detected, with or without calls in progress. grpc-js servers
 * do not limit pings.
 */
const KEEPALIVE_MS = 5_000;
const KEEPALIVE_TIMEOUT_MS = 3_000;

/** PEM files; missing: plain text. */
export type CallerTls =
  | { readonly ca: string; readonly cert?: string | undefined; readonly key?: string | undefined }
  | undefined;

/** Opens a channel to one core. It connects and reconnects by itself. */
export function openChannel({ address, name }: CoreEndpoint, tls: CallerTls): Client {
  const options: ChannelOptions = {
    "grpc.max_receive_message_length": MAX_GRPC_MESSAGE_BYTES,
    "grpc.max_send_message_length": MAX_GRPC_MESSAGE_BYTES,
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 1000,
    "grpc.keepalive_time_ms": KEEPALIVE_MS,
    "grpc.keepalive_timeout_ms": KEEPALIVE_TIMEOUT_MS,
    "grpc.keepalive_permit_without_calls": 1,
    // A new channel shares no connection with the previous one, which may hang for minutes.
    "grpc.use_local_subchannel_pool": 1,
    // The exceptions in `no_proxy` are names, but calls use addresses.
    "grpc.enable_http_proxy": 0,
    // The certificate is for the name, regardless of its address.
    ...(name !== undefined && tls && { "grpc.ssl_target_name_override": name }),
  };
  return new Client(address, channelCredentials(tls), options);
}

function channelCredentials(tls: CallerTls): ChannelCredentials {
  if (!tls) return credentials.createInsecure();
  return credentials.createSsl(
    readFileSync(tls.ca),
    tls.key ? readFileSync(tls.key) : null,
    tls.cert ? readFileSync(tls.cert) : null,
  );
}

/** Metadata that a caller presents with every call. */
export function callerMetadata(token: string): Metadata {
  const metadata = new Metadata();
  metadata.set("authorization", `Bearer ${token}`);
  return metadata;
}
