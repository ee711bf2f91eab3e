import type { FieldFaultCodeName } from "../../../contracts/common/field-fault-codes.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import { createBoundedSlots } from "./bounded-slots.ts";
import { createEstimatePassword } from "./estimate-password.ts";

export const MIN_PASSWORD_LENGTH = 12;
/** Argon2 takes any length; a longer one protects nobody, and costs whoever is sent it. */
export const MAX_PASSWORD_LENGTH = 256;

/** What a hash costs, in KiB and passes. */
export interface Argon2Cost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** OWASP's first choice of parameters for Argon2id. */
const ARGON2: Argon2Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Each takes 19 MB and 30 ms of a core. */
const AT_ONCE = 2;
const MAX_WAITING = 50;
/** Of the 0 to 4 of zxcvbn: guessed in less than 10^8 tries. */
const TOO_WEAK = 2;

/** Everybody's: how many are under way is the process's affair. */
export interface Passwords {
  /** @throws Fault service.busy */
  hash(password: string): Promise<string>;
  /**
   * Compares, in the same time whether or not there is anything to compare with.
   * @param passwordHash undefined: there is no such user
   * @throws Fault service.busy
   */
  matches(password: string, passwordHash: string | undefined): Promise<boolean>;
  /**
   * Judges a new password; undefined: it is accepted. There are no rules of composition, and nothing is trimmed (NIST
   * SP 800-63B section 5.1.1.2). Callers check first that the client may set one, and count it: an estimate is costly.
   * @param known words that are no secret, as the user's address
   * @throws Fault service.busy
   */
  judge(password: string, known: readonly string[]): Promise<PasswordFault | undefined>;
}

export interface PasswordFault {
  readonly code: FieldFaultCodeName;
  readonly message: FaultText;
}

/** @param cost another one, for tests */
export function createPasswords(cost = ARGON2, estimate = createEstimatePassword()): Passwords {
  const inTurn = createBoundedSlots(AT_ONCE, MAX_WAITING);
  let nobodys: Promise<string> | undefined;

  return {
    hash: (password) => inTurn(() => hashPassword(password, cost)),
    matches: (password, passwordHash) =>
      inTurn(async () => {
        // A longer one is nobody's password, and would cost its hash.
        const isTooLong = password.length > 2 * MAX_PASSWORD_LENGTH;
        const { verify } = await import("@node-rs/argon2");
        nobodys ??= hashPassword("nobody's", cost);
        const right = await verify(passwordHash ?? (await nobodys), isTooLong ? "" : password);
        return right && passwordHash !== undefined && !isTooLong;
      }),
    judge: async (password, known) => {
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
  // Not worth its memory in processes that ask for no password.
  const { hash } = await import("@node-rs/argon2");
  return hash(password, cost);
}

function faultOfLength(password: string): PasswordFault | undefined {
  // Characters are counted only of a text that may have few enough.
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
