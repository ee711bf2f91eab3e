import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type FaultCodeName, faultCodes } from "../../contracts/common/fault-codes.ts";
import { PROOF_PATH, type TrackedHit } from "../message/tracking/token.ts";
import { Fault, fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import type { HitCollector } from "./hit-collector.ts";
import { htmlPage, pageHeaders } from "./html-page.ts";
import { isPrefetch } from "./prefetch.ts";

export interface TrackingLinksOptions {
  readonly hits: Pick<HitCollector, "tokens" | "add">;
}

/** A transparent GIF of one pixel. */
const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** The target of a link is private to its sender, and its mail to its recipient. */
const linkHeaders = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
};

const unavailable = () =>
  htmlPage(
    "Please try again later",
    "<p>The target of this link is unavailable at the moment. Open it again in a few minutes.</p>",
  );

/** Page for a person in a browser, instead of a problem document. */
const pageOfFault: Partial<Record<FaultCodeName, () => string>> = {
  "request.not_found": () =>
    htmlPage(
      "This link does not work",
      "<p>The link may not have been copied completely. Open it from the e-mail again.</p>",
    ),
  "core.unavailable": unavailable,
  "core.timeout": unavailable,
  "store.unavailable": unavailable,
  "store.full": unavailable,
};

interface Call {
  readonly Params: { readonly token: string };
}

/**
 * Serves the pixels and links of tracked messages. They work while core and store are unavailable after the key was
 * fetched once: the token contains the target of a link, and the hit waits. An invalid token has no target.
 */
export async function trackingLinks(app: FastifyInstance, { hits }: TrackingLinksOptions): Promise<void> {
  app.setErrorHandler(async (thrown, request, reply) => {
    const { code } = Fault.from(thrown);
    const page = pageOfFault[code];
    if (!page || !/\btext\/html\b/i.test(request.headers.accept ?? "")) throw thrown;
    return reply
      .code(faultCodes[code].http)
      .headers(pageHeaders)
      .type("text/html; charset=utf-8")
      .send(page());
  });

  /** HEAD returns the result of GET and is not counted, because no person saw anything. */
  async function hitOf<Kind extends TrackedHit["kind"]>(
    request: FastifyRequest<Call>,
    kind: Kind,
  ): Promise<Extract<TrackedHit, { kind: Kind }>> {
    const { token } = request.params;
    const hit = (await hits.tokens()).decode(token);
    if (hit?.kind !== kind) throw fault("request.not_found", { public: say("link_not_made_here") });
    if (request.method === "GET") {
      hits.add({
        token,
        userAgent: request.headers["user-agent"] ?? "",
        clientAddress: request.ip,
        prefetch: isPrefetch(request.headers),
      });
    }
    return hit as Extract<TrackedHit, { kind: Kind }>;
  }

  // A check of an alias of this host verifies that it leads here.
  app.get(PROOF_PATH, async (request, reply) => {
    const proof = (await hits.tokens()).proofOf(request.hostname);
    return reply.headers(linkHeaders).type("text/plain").send(proof);
  });

  app.get("/t/o/:token", async (request: FastifyRequest<Call>, reply: FastifyReply) => {
    await hitOf(request, "opened");
    return reply.headers(linkHeaders).type("image/gif").send(PIXEL);
  });

  app.get("/t/c/:token", async (request: FastifyRequest<Call>, reply: FastifyReply) => {
    const { target } = await hitOf(request, "clicked");
    return reply.code(302).headers(linkHeaders).header("location", target).send();
  });
}
