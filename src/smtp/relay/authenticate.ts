import { faultCodes } from "../../../contracts/common/fault-codes.ts";
import { Fault } from "../../shared/fault.ts";
import type { Logger } from "../../shared/logger.ts";
import type { AuthThrottle } from "./auth-throttle.ts";
import type { SessionOwner } from "./owner-slots.ts";
import type { Credential, RelayRules, Submissions } from "./relay-rules.ts";
import { reply, replyToFault } from "./reply.ts";

export interface AuthenticateOptions {
  readonly submissions: Pick<Submissions, "authenticate">;
  readonly throttle: AuthThrottle;
  readonly log: Logger;
  readonly onFailure: (reason: AuthFailure) => void;
}

/**
 * `credentials`: they are wrong or not allowed here; `throttled`: they are wrong, and too many other failures occurred
 * at the same time; `unavailable`: the core is unavailable.
 */
export type AuthFailure = "credentials" | "throttled" | "unavailable";

/** The name of a key has 57 characters. A longer name is not a key. */
const MAX_LENGTH = 255;

/**
 * Answers SMTP AUTH with the owner of the credential, or with a reply. Every credential is checked, even after
 * failures. The check costs the core two hashes, and a correct credential always succeeds.
 */
export function createAuthenticate(options: AuthenticateOptions): RelayRules["authenticate"] {
  const { submissions, throttle, log, onFailure } = options;

  async function ask(credential: Credential): Promise<SessionOwner | Fault> {
    const { username, password } = credential;
    if (username.length > MAX_LENGTH || password.length > MAX_LENGTH) return new Fault("auth.key_invalid");
    try {
      const { accountId, keyId } = await submissions.authenticate(credential);
      return { accountId, keyId };
    } catch (thrown) {
      return Fault.from(thrown);
    }
  }

  return async (credential) => {
    const { clientAddress, username } = credential;
    const asked = await ask(credential);
    if (!(asked instanceof Fault)) {
      throttle.succeeded(clientAddress, username);
      return asked;
    }
    const failed = asked;
    if (failed.code === "rate.limited") return replyToFault(failed);
    if (faultCodes[failed.code].http >= 500) {
      log.warn({ err: failed, clientAddress }, "authentication could not be checked");
      onFailure("unavailable");
      return reply(454, "4.7.0", "Authentication is not available right now. Try again later");
    }
    log.info({ code: failed.code, clientAddress }, "SMTP authentication failed");
    if (!(await throttle.hold(clientAddress, username))) {
      onFailure("throttled");
      return reply(421, "4.7.0", "Too many failed authentications. Try again later");
    }
    onFailure("credentials");
    // The reply does not reveal whether the name exists.
    const known = failed.code !== "auth.key_invalid" && failed.code !== "auth.key_missing";
    return reply(535, "5.7.8", known ? failed.public : "The sending key or its password is wrong");
  };
}
