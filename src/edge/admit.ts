import { Transform } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Permission } from "../../contracts/common/permission.ts";
import type { ByteBudget, Reservation } from "../shared/byte-budget.ts";
import type { Clock } from "../shared/clock.ts";
import { fault } from "../shared/fault.ts";
import type { Authenticate, Caller } from "./authenticate.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The owner of the key that it carries, once that is known; null before. */
    caller: Caller | null;
    /** What is reserved for its body; null: nothing. */
    held: { readonly reservation: Reservation; handled: boolean } | null;
    /** How long it has waited for the core so far. */
    waitedMs: number;
  }
}

export interface AdmissionOptions {
  readonly authenticate: Authenticate;
  readonly budget: ByteBudget;
  readonly bodyMaxBytes: number;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** What a request passes before its body is read. */
export interface Admission {
  /** Makes room in requests for what is known of them: cheaper than maps beside them. */
  prepare(app: FastifyInstance): void;
  /**
   * Judges the key, then reserves what the body is announced to have, until the answer is given.
   * @throws Fault auth.*, core.unavailable, request.too_large, service.busy, rate.bytes_in_flight
   */
  admit(request: FastifyRequest, reply: FastifyReply, permission: Permission): Promise<void>;
  /** The body of a request that announces no size, reserved as it comes; for Fastify's `preParsing`. */
  counted(request: FastifyRequest, payload: NodeJS.ReadableStream): NodeJS.ReadableStream;
  /** A handler whose request keeps its bytes reserved until it has done, whether or not its client is still there. */
  holding<Input extends { readonly request: Pick<FastifyRequest, "held"> }, Answer>(
    handler: (input: Input) => Promise<Answer>,
  ): (input: Input) => Promise<Answer>;
}

export function createAdmission(options: AdmissionOptions): Admission {
  const { authenticate, budget, bodyMaxBytes, clock } = options;
  return {
    prepare: (app) => {
      app.decorateRequest("caller", null);
      app.decorateRequest("held", null);
      app.decorateRequest("waitedMs", 0);
    },

    admit: async (request, reply, permission) => {
      const arrivedAtMs = clock.monotonicMs();
      const caller = await authenticate(request, permission);
      request.waitedMs = clock.monotonicMs() - arrivedAtMs;
      request.caller = caller;
      const announced = Number(request.headers["content-length"] ?? 0);
      if (announced > bodyMaxBytes) throw fault("request.too_large");
      const held = { reservation: budget.reserve(caller, announced), handled: false };
      request.held = held;
      reply.raw.once("close", () => {
        if (!held.handled) held.reservation.release();
      });
    },

    counted: (request, payload) => {
      const reservation = request.held?.reservation;
      if (!reservation || request.headers["transfer-encoding"] === undefined) return payload;
      const counting = new Transform({
        transform: (chunk: Buffer, _encoding, done) => {
          try {
            reservation.grow(chunk.length);
            done(null, chunk);
          } catch (error) {
            done(error as Error);
          }
        },
      });
      payload.once("error", (error) => counting.destroy(error));
      // Nobody listens while nobody reads it, as of a body that is refused by its type.
      counting.on("error", () => {});
      return payload.pipe(counting);
    },

    holding: (handler) => async (input) => {
      const { held } = input.request;
      if (held) held.handled = true;
      try {
        return await handler(input);
      } finally {
        held?.reservation.release();
      }
    },
  };
}
