import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { CoreClient } from "../../rpc/client.ts";
import { fault } from "../../shared/fault.ts";
import { isRelayProvider, type RelayProvider } from "../../shared/relay-providers.ts";
import { equalInConstantTime } from "../../shared/secrets.ts";
import type { Notice, ReadNotices } from "./notice.ts";

export interface ProviderNoticesOptions {
  readonly core: Pick<CoreClient, "bounces">;
  /** The last part of the path, which providers are given. */
  readonly token: string;
  /** Those that are set up. */
  readonly readers: Readonly<Partial<Record<RelayProvider, ReadNotices>>>;
}

interface Call {
  readonly Params: { readonly provider: string; readonly token: string };
}

/** Many times what providers send at once. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
const AT_ONCE = 200;
const RETRY_AFTER_SECONDS = 60;

/** Receives notices of upstream relay providers about messages sent through them. A request with an unknown path is ignored. */
export async function providerNotices(
  app: FastifyInstance,
  { core, token, readers }: ProviderNoticesOptions,
): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: MAX_BODY_BYTES }, (_request, bytes, done) =>
    done(null, bytes),
  );

  function readerOf({ params }: FastifyRequest<Call>): { provider: RelayProvider; read: ReadNotices } {
    const { provider } = params;
    const isKnown = equalInConstantTime(params.token, token);
    const read = isRelayProvider(provider) ? readers[provider] : undefined;
    if (!isKnown || !isRelayProvider(provider) || !read) throw fault("request.not_found");
    return { provider, read };
  }

  app.addHook("onRequest", async (request) => void readerOf(request as FastifyRequest<Call>));

  app.post("/inbound/providers/:provider/:token", async (request: FastifyRequest<Call>) => {
    const { provider, read } = readerOf(request);
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const notices = (await read(request.headers, body)).map(toNotice);
    const counts: Record<string, number> = {};
    for (let from = 0; from < notices.length; from += AT_ONCE) {
      const some = notices.slice(from, from + AT_ONCE);
      const { outcomes } = await core.bounces.reportNotices({ provider, notices: some });
      for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    // Taken again, all else changes nothing.
    if (counts.later) throw fault("message.in_delivery", { retryAfterSeconds: RETRY_AFTER_SECONDS });
    return counts;
  });
}

function toNotice({ at, ...reported }: Notice) {
  return { ...reported, ...(at && { at: timestampFromDate(at) }) };
}
