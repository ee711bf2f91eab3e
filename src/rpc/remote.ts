import { lookup } from "node:dns/promises";
import { once } from "node:events";
import type { ServiceError } from "@grpc/grpc-js";
import type { FaultCodeName } from "../../contracts/common/fault-codes.ts";
import { Health, HealthCheckResponse_ServingStatus } from "../../gen/health/v1/health_pb.ts";
import { systemClock } from "../shared/clock.ts";
import { Fault } from "../shared/fault.ts";
import { parseHostPorts } from "../shared/host-port.ts";
import { untilAborted } from "../shared/until-aborted.ts";
import type { CallDefinition } from "./bridge.ts";
import { type CallerIdentity, writeIdentity } from "./caller-identity.ts";
import { type CoreCalls, READY, unaryClient } from "./calls.ts";
import { type CallerTls, callerMetadata } from "./channels.ts";
import type { CoreLink } from "./link.ts";
import { openCoreLinks } from "./links.ts";
import { fromServiceError, isNotSent } from "./status.ts";
import { withDeadline } from "./with-deadline.ts";

export interface RemoteCallsOptions {
  /** `host:port` of the core. Several, comma-separated, share the calls, and so do the addresses of a name. */
  readonly address: string;
  /** Token that the core expects of its callers. */
  readonly token: string;
  readonly tls?: CallerTls;
  /** A call fails with `core.timeout` after this. */
  readonly deadlineMs: number;
  /** Returns all IP addresses of a name (the system's resolver). */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
  /** Called when the set of answering cores changes. */
  readonly onLinks?: () => void;
}

interface Call {
  readonly definition: CallDefinition;
  readonly request: unknown;
  readonly identity: CallerIdentity | undefined;
}

const MAX_BATCHES = 4;
/** Maximum number of cores that a call is tried with, one after another. */
const MAX_TRIES = 3;

/** Codes of a call that no core answered. */
const UNANSWERED: ReadonlySet<FaultCodeName> = new Set([
  "core.unavailable",
  "core.connection_lost",
  "core.timeout",
] as const);

/** Calls over gRPC to a core on any machine. */
export function openRemoteCalls(options: RemoteCallsOptions): CoreCalls {
  const { address, token, tls, deadlineMs, lookup: addressesOf = systemLookup, onLinks } = options;
  const clock = systemClock;
  const links = openCoreLinks({
    addresses: parseHostPorts(address),
    lookup: addressesOf,
    tls,
    clock,
    onChange: onLinks,
  });

  const unary: CoreCalls["unary"] = async (definition, request, { withinMs = deadlineMs, identity } = {}) => {
    const untilMs = clock.monotonicMs() + withinMs;
    for (let tries = 1; ; tries++) {
      const link = await links.pick(untilMs);
      try {
        return await callOver(link, { definition, request, identity }, untilMs - clock.monotonicMs());
      } catch (failure) {
        if (tries === MAX_TRIES || !mayMove(failure, definition)) throw failure;
      }
    }
  };

  function callOver(link: CoreLink, { definition, request, identity }: Call, withinMs: number) {
    const { client } = link;
    const metadata = callerMetadata(token);
    if (identity) writeIdentity(metadata, identity);
    const end = link.begin();
    return new Promise((resolve, reject) => {
      client.makeUnaryRequest(
        definition.path,
        definition.requestSerialize,
        definition.responseDeserialize,
        request,
        metadata,
        { deadline: Date.now() + withinMs },
        (error, response) => {
          const refusal = error ? fromServiceError(error).fault : undefined;
          end(!refusal || !UNANSWERED.has(refusal.code));
          if (refusal) reject(refusal);
          else resolve(response);
        },
      );
    });
  }

  const health = unaryClient({ unary }, Health);
  return {
    deadlineMs,
    maxBatches: MAX_BATCHES,
    unary,
    download: async function* (definition, request, { identity, signal } = {}) {
      const { client } = await links.pick(clock.monotonicMs() + deadlineMs);
      const metadata = callerMetadata(token);
      if (identity) writeIdentity(metadata, identity);
      const call = client.makeServerStreamRequest(
        definition.path,
        definition.requestSerialize,
        definition.responseDeserialize,
        request,
        metadata,
      );
      // Ignores events of a finished call.
      call.on("error", () => undefined);
      const answers = call[Symbol.asyncIterator]();
      try {
        for (;;) {
          const answer = withDeadline(deadlineMs, answers.next(), () => call.cancel());
          const next = await untilAborted(answer, signal);
          if (!next || next.done) return;
          yield next.value;
        }
      } catch (error) {
        throw error instanceof Fault ? error : fromServiceError(error as ServiceError).fault;
      } finally {
        call.cancel();
      }
    },
    upload: async (definition, onAnswer) => {
      const { client } = await links.pick(clock.monotonicMs() + deadlineMs);
      const call = client.makeClientStreamRequest(
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
    ready: () =>
      health.check({ service: READY }).then(
        ({ status }) => status === HealthCheckResponse_ServingStatus.SERVING,
        () => false,
      ),
    close: () => links.close(),
  };
}

/** Whether another core may be called: the first has not received the call, or repeating it is safe. */
function mayMove(failure: unknown, { repeatable }: CallDefinition): boolean {
  if (!(failure instanceof Fault)) return false;
  return isNotSent(failure.cause) || (repeatable && failure.code === "core.connection_lost");
}

async function systemLookup(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}
