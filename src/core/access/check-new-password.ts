import { validationFault } from "../../shared/fault.ts";
import type { Passwords } from "./passwords.ts";
import type { SignInThrottle } from "./sign-in-throttle.ts";

export interface NewPassword {
  readonly password: string;
  /** JSON pointer to the password in the request. */
  readonly pointer: string;
  /** Words that are not secret, such as the user's address. */
  readonly known: readonly string[];
  readonly email: string;
  readonly clientAddress: string | undefined;
}

export interface NewPasswordNeeds {
  readonly passwords: Pick<Passwords, "evaluate">;
  readonly throttle: Pick<SignInThrottle, "countNewPassword">;
}

/**
 * Counts a new password before it is evaluated, because the evaluation is costly.
 * @throws Fault auth.throttled, request.validation_failed, service.busy
 */
export async function checkNewPassword(
  { passwords, throttle }: NewPasswordNeeds,
  { password, pointer, known, email, clientAddress = "" }: NewPassword,
): Promise<void> {
  await throttle.countNewPassword({ email, clientAddress });
  const wrong = await passwords.evaluate(password, known);
  if (wrong) throw validationFault([{ pointer, ...wrong }]);
}
