import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client, type ClientDuplexStream, type StatusObject, status } from "@grpc/grpc-js";
import {
  DispatchService,
  type SubscribeRequestSchema,
  type SubscribeResponse,
} from "../../../gen/hermod/dispatch/v1/dispatch_service_pb.ts";
import { callDefinition } from "../../rpc/bridge.ts";
import { type CallerTls, callerMetadata, openChannel } from "../../rpc/channels.ts";
import type { CoreEndpoint } from "../../rpc/endpoints.ts";
import { probeAddress } from "../../rpc/probe.ts";
import type { Logger } from "../../shared/logger.ts";

export interface DispatchStreamOptions {
  readonly endpoint: CoreEndpoint;
  readonly token: string;
  readonly tls: CallerTls;
  readonly workerId: string;
  readonly held: () => readonly number[];
  readonly onMessages: (ids: readonly string[]) => void;
  /** True while the core dispatches to this worker. */
  readonly onUp: (up: boolean) => void;
  /** Random number from 0 to 1 for the waits between attempts. */
  readonly random: () => number;
  readonly log: Logger;
}

export interface DispatchStream {
  /** Sends the partitions that are held now to the core. */
  claim(): void;
  close(): void;
}

const FIRST_WAIT_MS = 100;
const MOST_WAIT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 3_000;

const definition = callDefinition(DispatchService, DispatchService.method.subscribe);

/** A subscription to one core that is always reopened. */
export function openDispatchStream(options: DispatchStreamOptions): DispatchStream {
  const { endpoint, token, tls, workerId, held, onMessages, onUp, random, log } = options;
  const { address } = endpoint;
  let channel: Client | undefined;
  let call: ClientDuplexStream<unknown, unknown> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let up = false;
  let closed = false;

  /** Uses a new channel each time, because a channel that has lost packets can need minutes to recover. */
  async function connect(): Promise<void> {
    try {
      await probeAddress(address, CONNECT_TIMEOUT_MS);
    } catch (error) {
      return ended({ code: status.UNAVAILABLE, details: String(error) });
    }
    if (closed) return;
    channel = openChannel(endpoint, tls);
    call = channel.makeBidiStreamRequest(
      definition.path,
      definition.requestSerialize,
      definition.responseDeserialize,
      callerMetadata(token),
    );
    call.on("data", (response) => received(response as SubscribeResponse));
    // The status contains the same information, and also arrives without an error.
    call.on("error", () => undefined);
    call.on("status", ended);
    claim();
  }

  function received({ messageIds }: SubscribeResponse): void {
    if (closed) return;
    if (!up) {
      up = true;
      failures = 0;
      onUp(true);
      log.info({ core: address }, "subscribed to the core");
    }
    if (messageIds.length > 0) onMessages(messageIds);
  }

  function ended({ code, details }: Pick<StatusObject, "code" | "details">): void {
    call = undefined;
    channel?.close();
    channel = undefined;
    if (closed) return;
    if (up) onUp(false);
    // Logged once until it works again, because the attempts continue while the core is unavailable.
    const level = up || failures === 0 ? "warn" : "debug";
    log[level](
      { core: address, code, reason: details },
      "the core dispatches no messages; polling continues",
    );
    up = false;
    const waitMs = Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
    failures = Math.min(failures + 1, 16);
    timer = setTimeout(connect, waitMs * (0.5 + random() / 2));
  }

  function claim(): void {
    const request: MessageInitShape<typeof SubscribeRequestSchema> = { workerId, partitions: [...held()] };
    call?.write(request);
  }

  void connect();
  return {
    claim,
    close: () => {
      closed = true;
      clearTimeout(timer);
      if (up) onUp(false);
      call?.cancel();
      channel?.close();
    },
  };
}
