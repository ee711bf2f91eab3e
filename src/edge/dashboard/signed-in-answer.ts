import type { z } from "zod";
import type { signedIn } from "../../../contracts/common/signed-in.ts";
import { GetSessionResponseSchema } from "../../../gen/hermod/session/v1/session_service_pb.ts";
import { bodyOf, createCoreFor, type DashboardCall, type DashboardParts } from "./call.ts";

type SignedIn = z.output<typeof signedIn>;

/** Answers who is signed in, under the token of the request or one that takes its place: the cookie has that from then on. */
export type SignedInAnswer = (
  call: DashboardCall,
  token?: string,
) => Promise<{ readonly status: 200; readonly body: SignedIn }>;

export function createSignedInAnswer({ core, cookie }: DashboardParts): SignedInAnswer {
  const coreFor = createCoreFor({ core, cookie });
  return async ({ request, reply }, token) => {
    const found = await coreFor(request, token).sessions.getSession({});
    const { session: shown, ...rest } = bodyOf<Omit<SignedIn, "encrypted">>(GetSessionResponseSchema, found);
    if (token !== undefined) cookie.set(request, reply, token, new Date(shown.ends_at));
    const body = { session: shown, ...rest, encrypted: cookie.isEncrypted(request) };
    return { status: 200, body };
  };
}
