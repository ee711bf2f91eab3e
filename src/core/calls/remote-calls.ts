import { once } from "node:events";
import { Health, HealthCheckResponse_ServingStatus } from "../../../gen/health/v1/health_pb.ts";
import { type CallerTls, callerMetadata, openChannels } from "./channels.ts";
import { type CoreCalls, unaryClient } from "./core-calls.ts";
import { fromServiceError } from "./status-details.ts";

export interface RemoteCallsOptions {
  /** `host:port` of the core; several, comma-separated, share the calls. */
  readonly address: string;
  /** The token that the core expects of its callers. */
  readonly token: string;
  readonly tls?: CallerTls;
  /** After this a call fails with `core.timeout`. */
  readonly deadlineMs: number;
}

const MAX_BATCHES = 4;

/** Calls over gRPC, to a core wherever it runs. */
export function openRemoteCalls({ address, token, tls, deadlineMs }: RemoteCallsOptions): CoreCalls {
  const channels = openChannels(address, tls);

  const unary: CoreCalls["unary"] = async (definition, request) => {
    const deadline = new Date(Date.now() + deadlineMs);
    const channel = await channels.pick(deadline);
    return new Promise((resolve, reject) => {
      channel.makeUnaryRequest(
        definition.path,
        definition.requestSerialize,
        definition.responseDeserialize,
        request,
        callerMetadata(token),
        { deadline },
        (error, response) => (error ? reject(fromServiceError(error).fault) : resolve(response)),
      );
    });
  };

  const health = unaryClient({ unary }, Health);
  return {
    deadlineMs,
    maxBatches: MAX_BATCHES,
    unary,
    upload: async (definition, onAnswer) => {
      const channel = await channels.pick(new Date(Date.now() + deadlineMs));
      const call = channel.makeClientStreamRequest(
        definition.path,
        definition.requestSerialize,
        definition.responseDeserialize,
        callerMetadata(token),
        (error, response) => onAnswer(error ? fromServiceError(error).fault : undefined, response),
      );
      return {
        write: (request) => call.write(request),
        drained: async (signal) => void (await once(call, "drain", { signal })),
        end: () => void call.end(),
        cancel: () => call.cancel(),
      };
    },
    serving: () =>
      health.check({}).then(
        ({ status }) => status === HealthCheckResponse_ServingStatus.SERVING,
        () => false,
      ),
    close: () => channels.close(),
  };
}
