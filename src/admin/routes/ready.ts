import type { FastifyInstance } from "fastify";

export interface Readiness {
  readonly ready: boolean;
  /** Each thing that the process depends on: `ok`, or what is wrong with it. */
  readonly checks: Readonly<Record<string, string>>;
}

/** GET /readyz: 200 when this process can do its work, else 503; both with every check. */
export function ready(readiness: () => Promise<Readiness>) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get("/readyz", async (request, reply) => {
      const state = await readiness().catch((error: unknown): Readiness => {
        request.log.error({ err: error }, "readiness could not be told");
        return { ready: false, checks: { readiness: "The check itself failed; the log says why." } };
      });
      return reply
        .code(state.ready ? 200 : 503)
        .send({ status: state.ready ? "ready" : "unavailable", checks: state.checks });
    });
  };
}
