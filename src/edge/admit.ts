import { Transform } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ByteBudget, Reservation } from "../shared/byte-budget.ts";
import type { Clock } from "../shared/clock.ts";
import { fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import type { Caller } from "./authenticate.ts";
import { widenWindow } from "./http2-requests.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The owner of the key that it carries, once that is known; null before. */
    caller: Caller | null;
    /** Reservation for its body; null: none. */
    held: { readonly reservation: Reservation; handled: boolean } | null;
    /** How long it has waited for the core so far. */
    waitedMs: number;
  }
}

export interface AdmissionOptions<Demand> {
  /** Finds who calls, by the head of a request alone. */
  readonly authenticate: (request: FastifyRequest, demand: Demand) => Promise<Caller>;
  readonly budget: ByteBudget;
  readonly bodyMaxBytes: number;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** Checks of a request before its body is read. @typeParam Demand requirements of an operation on its callers */
export interface Admission<Demand> {
  /** Makes room in requests for what is known of them: cheaper than maps beside them. */
  prepare(app: FastifyInstance): void;
  /**
   * Judges key or session, then reserves what the body is announced to have, until the answer is given.
   * @throws Fault auth.*, core.unavailable, request.too_large, service.busy, rate.bytes_in_flight
   */
  admit(request: FastifyRequest, reply: FastifyReply, demand: Demand): Promise<void>;
  /** The body of a request that announces no size, reserved as it comes; for Fastify's `preParsing`. */
  counted(request: FastifyRequest, payload: NodeJS.ReadableStream): NodeJS.ReadableStream;
  /** Returns a handler that reserves the bytes of its request until it ends, even if the client has disconnected. */
  holding<Input extends { readonly request: Pick<FastifyRequest, "held"> }, Answer>(
    handler: (input: Input) => Promise<Answer>,
  ): (input: Input) => Promise<Answer>;
}

export function createAdmission<Demand>(options: AdmissionOptions<Demand>): Admission<Demand> {
  const { authenticate, budget, bodyMaxBytes, clock } = options;
  return {
    prepare: (app) => {
      app.decorateRequest("caller", null);
      app.decorateRequest("held", null);
      app.decorateRequest("waitedMs", 0);
    },

    admit: async (request, reply, demand) => {
      const arrivedAtMs = clock.monotonicMs();
      let isGone = false;
      reply.raw.once("close", () => {
        isGone = true;
        if (request.held?.handled === false) request.held.reservation.release();
      });
      const caller = await authenticate(request, demand);
      // Nothing would ever give back what is reserved for a client that left while its key was judged.
      if (isGone)
        throw fault("request.malformed", {
          public: say("request_broken_off_before_end"),
        });
      widenWindow(request.raw);
      request.waitedMs = clock.monotonicMs() - arrivedAtMs;
      request.caller = caller;
      const announced = Number(request.headers["content-length"] ?? 0);
      if (announced > bodyMaxBytes) throw fault("request.too_large");
      request.held = { reservation: budget.reserve(caller, announced), handled: false };
    },

    counted: (request, payload) => {
      const reservation = request.held?.reservation;
      // HTTP/2 needs no header for a body of unknown size.
      if (!reservation || request.headers["content-length"] !== undefined) return payload;
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
      // Without a reader, the stream has no error listener, for example for a body with a refused type.
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
