import type { IncomingMessage } from "node:http";
import { Transform } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Permission } from "../../contracts/common/permission.ts";
import type { ByteBudget, Reservation } from "../shared/byte-budget.ts";
import { fault } from "../shared/fault.ts";
import type { Authenticate, Caller } from "./authenticate.ts";

export interface AdmissionOptions {
  readonly authenticate: Authenticate;
  readonly budget: ByteBudget;
  readonly bodyMaxBytes: number;
  /** Told whose key it is once that is known, also of requests that find no room. */
  readonly onCaller: (request: FastifyRequest, caller: Caller) => void;
}

/** What a request passes before its body is read. */
export interface Admission {
  /**
   * Judges the key, then reserves what the body is announced to have, until the answer is given.
   * @throws Fault auth.*, core.unavailable, request.too_large, service.busy, rate.bytes_in_flight
   */
  admit(request: FastifyRequest, reply: FastifyReply, permission: Permission): Promise<void>;
  /** The body of a request that announces no size, reserved as it comes; for Fastify's `preParsing`. */
  counted(request: FastifyRequest, payload: NodeJS.ReadableStream): NodeJS.ReadableStream;
  /** A handler whose request keeps its bytes reserved until it has done, whether or not its client is still there. */
  holding<Input extends { readonly request: { readonly raw: IncomingMessage } }, Answer>(
    handler: (input: Input) => Promise<Answer>,
  ): (input: Input) => Promise<Answer>;
}

export function createAdmission({
  authenticate,
  budget,
  bodyMaxBytes,
  onCaller,
}: AdmissionOptions): Admission {
  const reservations = new WeakMap<IncomingMessage, Reservation>();
  const handled = new WeakSet<IncomingMessage>();

  return {
    admit: async (request, reply, permission) => {
      const caller = await authenticate(request, permission);
      onCaller(request, caller);
      const announced = Number(request.headers["content-length"] ?? 0);
      if (announced > bodyMaxBytes) throw fault("request.too_large");
      const reservation = budget.reserve(caller, announced);
      reservations.set(request.raw, reservation);
      reply.raw.once("close", () => {
        if (!handled.has(request.raw)) reservation.release();
      });
    },

    counted: (request, payload) => {
      const reservation = reservations.get(request.raw);
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
      const { raw } = input.request;
      handled.add(raw);
      try {
        return await handler(input);
      } finally {
        reservations.get(raw)?.release();
      }
    },
  };
}
