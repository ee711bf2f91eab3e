import type { FastifyInstance } from "fastify";

export interface Readiness {
  readonly ready: boolean;
  /** Each dependency of the process: `ok`, or its error. */
  readonly checks: Readonly<Record<string, string>>;
}

/** GET /readyz: 200 when this process is ready, otherwise 503; both with every check. */
export function ready(readiness: () => Promise<Readiness>) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get("/readyz", async (request, reply) => {
      const state = await readiness().catch((error: unknown): Readiness => {
        request.log.error({ err: error }, "the readiness check failed");
        return { ready: false, checks: { readiness: "The check itself failed. The log has the reason." } };
      });
      return reply
        .code(state.ready ? 200 : 503)
        .send({ status: state.ready ? "ready" : "unavailable", checks: state.checks });
    });
  };
}
