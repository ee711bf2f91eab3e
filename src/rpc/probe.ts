import { once } from "node:events";
import { connect } from "node:net";
import type { Client } from "@grpc/grpc-js";
import {
  Health,
  type HealthCheckResponse,
  HealthCheckResponse_ServingStatus,
} from "../../gen/health/v1/health_pb.ts";
import { fault } from "../shared/fault.ts";
import { parseHostPort } from "../shared/host-port.ts";
import { callDefinition } from "./bridge.ts";
import { fromServiceError } from "./status.ts";

const definition = callDefinition(Health, Health.method.check);

/**
 * Resolves when this address accepts connections. grpc-js cannot abort a connection attempt, so none is started while
 * packets are lost.
 * @throws Fault core.unavailable
 */
export async function probeAddress(address: string, timeoutMs: number): Promise<void> {
  const { host, port } = parseHostPort(address) ?? { host: address, port: 0 };
  const socket = connect({ host, port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    const reason = error instanceof Error && error.name === "AbortError" ? "no connection in time" : error;
    throw fault("core.unavailable", { internal: `${address}: ${String(reason)}`, cause: error });
  } finally {
    // An abandoned attempt may still fail, and its error has no listener.
    socket.on("error", () => undefined);
    socket.destroy();
  }
}

/**
 * Resolves when the core answers the standard health check with SERVING.
 * @throws Fault core.unavailable
 */
export async function probeHealth(client: Client, timeoutMs: number): Promise<void> {
  try {
    const { status } = await check(client, timeoutMs);
    if (status === HealthCheckResponse_ServingStatus.SERVING) return;
  } catch (error) {
    const { message } = fromServiceError(error).fault;
    throw fault("core.unavailable", { internal: message, cause: error });
  }
  throw fault("core.unavailable", { internal: "the core is not serving" });
}

function check(client: Client, timeoutMs: number): Promise<HealthCheckResponse> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      definition.path,
      definition.requestSerialize,
      definition.responseDeserialize,
      {},
      { deadline: Date.now() + timeoutMs },
      (error, response) => (error ? reject(error) : resolve(response as HealthCheckResponse)),
    );
  });
}
