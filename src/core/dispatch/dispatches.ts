import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  DispatchService,
  type SubscribeRequest,
  type SubscribeResponseSchema,
} from "../../../gen/hermod/dispatch/v1/dispatch_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { MAIL } from "../../rpc/audits.ts";
import { type HandlerContext, WORKERS } from "../../rpc/callers.ts";
import type { Logger } from "../../shared/logger.ts";
import { MAX_PARTITIONS } from "../../shared/partition.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Dispatcher, Subscription } from "./dispatcher.ts";

/** Dispatches accepted messages to workers. */
export const dispatches: Area<Pick<Dependencies, "dispatcher" | "log">> = defineArea(DispatchService, {
  subscribe: [WORKERS, MAIL, createSubscribe],
});

export interface SubscribeOptions {
  readonly dispatcher: Dispatcher;
  readonly log: Logger;
}

/** Sends a worker the messages of its partitions until the worker disconnects or the core ends. */
export function createSubscribe({ dispatcher, log }: SubscribeOptions) {
  /** Ends with the worker's stream; never rejects. */
  async function readClaims(
    requests: AsyncIterable<SubscribeRequest>,
    subscription: Subscription,
    traceId: string,
  ): Promise<void> {
    try {
      for await (const { workerId, partitions } of requests) {
        const known = partitions.filter((partition) => partition < MAX_PARTITIONS);
        log.debug({ workerId, partitions: known.length, traceId }, "a worker subscribed");
        subscription.claim(known);
      }
    } catch (error) {
      log.debug({ err: error, traceId }, "a worker disconnected");
    } finally {
      subscription.end();
    }
  }

  return async function* subscribe(
    requests: AsyncIterable<SubscribeRequest>,
    { traceId }: HandlerContext,
  ): AsyncGenerator<MessageInitShape<typeof SubscribeResponseSchema>, void> {
    const subscription = dispatcher.subscribe();
    void readClaims(requests, subscription, traceId);
    try {
      for await (const messageIds of subscription.batches()) yield { messageIds: [...messageIds] };
    } finally {
      subscription.end();
    }
  };
}
