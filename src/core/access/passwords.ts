import type { FieldFaultCodeName } from "../../../contracts/common/field-fault-codes.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import { createBoundedSlots } from "./bounded-slots.ts";
import { createEstimatePassword } from "./estimate-password.ts";

export const MIN_PASSWORD_LENGTH = 12;
/** Argon2 accepts any length. A longer password adds no protection and is costly for the server. */
export const MAX_PASSWORD_LENGTH = 256;

/** Cost of a hash, in KiB and passes. */
export interface Argon2Cost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** OWASP's first choice of parameters for Argon2id. */
const ARGON2: Argon2Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Each hash uses 19 MB and 30 ms of a core. */
const AT_ONCE = 2;
const MAX_WAITING = 50;
/** zxcvbn score from 0 to 4: guessed in less than 10^8 tries. */
const TOO_WEAK = 2;

/** Shared by all callers: the process limits the number of running hashes. */
export interface Passwords {
  /** @throws Fault service.busy */
  hash(password: string): Promise<string>;
  /**
   * Compares, in the same time with and without a hash.
   * @param passwordHash undefined: the user does not exist
   * @throws Fault service.busy
   */
  matches(password: string, passwordHash: string | undefined): Promise<boolean>;
  /**
   * Evaluates a new password; undefined: it is accepted. There are no composition rules, and nothing is trimmed (NIST
   * SP 800-63B section 5.1.1.2). Callers first check that the client may set a password, and count it, because an
   * estimate is costly.
   * @param known words that are not secret, such as the user's address
   * @throws Fault service.busy
   */
  evaluate(password: string, known: readonly string[]): Promise<PasswordFault | undefined>;
}

export interface PasswordFault {
  readonly code: FieldFaultCodeName;
  readonly message: FaultText;
}

/** @param cost other parameters, for tests */
export function createPasswords(cost = ARGON2, estimate = createEstimatePassword()): Passwords {
  const oneAtATime = createBoundedSlots(AT_ONCE, MAX_WAITING);
  let nobodys: Promise<string> | undefined;

  return {
    hash: (password) => oneAtATime(() => hashPassword(password, cost)),
    matches: (password, passwordHash) =>
      oneAtATime(async () => {
        // A longer password cannot exist, and its hash would be costly.
        const isTooLong = password.length > 2 * MAX_PASSWORD_LENGTH;
        const { verify } = await import("@node-rs/argon2");
        nobodys ??= hashPassword("nobody's", cost);
        const right = await verify(passwordHash ?? (await nobodys), isTooLong ? "" : password);
        return right && passwordHash !== undefined && !isTooLong;
      }),
    evaluate: async (password, known) => {
      const wrong = faultOfLength(password);
      if (wrong) return wrong;
      const { score, warning } = await estimate(password, known);
      if (score >= TOO_WEAK) return undefined;
      const message = warning ? say("password_guessed_as", { detail: warning }) : say("password_guessed");
      return { code: "password.guessable", message };
    },
  };
}

/** Argon2id, as a PHC string. */
export async function hashPassword(password: string, cost = ARGON2): Promise<string> {
  // Not loaded in processes that need no passwords.
  const { hash } = await import("@node-rs/argon2");
  return hash(password, cost);
}

function faultOfLength(password: string): PasswordFault | undefined {
  // Characters are counted only if the text can be short enough.
  const length = password.length > 2 * MAX_PASSWORD_LENGTH ? Number.POSITIVE_INFINITY : [...password].length;
  if (length < MIN_PASSWORD_LENGTH) {
    return {
      code: "password.too_short",
      message: say("password_at_least", { min: MIN_PASSWORD_LENGTH }),
    };
  }
  if (length <= MAX_PASSWORD_LENGTH) return undefined;
  return { code: "field.too_long", message: say("password_up_to", { max: MAX_PASSWORD_LENGTH }) };
}
