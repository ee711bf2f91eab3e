import { createHash } from "node:crypto";
import type { Keyed } from "../../store/intel-answers.ts";
import type { Dependencies } from "../dependencies.ts";
import { checkIdempotencyKey } from "../send/idempotency.ts";

interface KeyedRequest<Result> extends Pick<Keyed<Result>, "workspaceId" | "operation" | "key" | "answerOf"> {
  /** All parameters that determine the answer. */
  readonly asked: object;
}

/**
 * A request that can be repeated with its idempotency key.
 * @returns undefined: the request has no key
 * @throws Fault request.malformed_header
 */
export function readKeyed<Result>(
  { retention, clock }: Pick<Dependencies, "retention" | "clock">,
  { asked, ...request }: KeyedRequest<Result>,
): Keyed<Result> | undefined {
  if (request.key === "") return undefined;
  checkIdempotencyKey(request.key);
  const now = clock.now();
  const fingerprint = createHash("sha256").update(JSON.stringify(asked)).digest("base64url");
  return { ...request, fingerprint, now, expireAt: new Date(now.getTime() + retention.idempotencyMs) };
}
