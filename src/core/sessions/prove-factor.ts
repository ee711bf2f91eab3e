import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { FactorName, SessionDocument } from "../../store/documents.ts";
import { hashOfRecoveryCode } from "../factors/recovery-codes.ts";
import { stepOfCode } from "../factors/totp.ts";
import type { SessionNeeds } from "./needs.ts";

/** Proof that a client is the user of a session. */
export type Proof =
  | { readonly factor: "password"; readonly password: string }
  | { readonly factor: "totp"; readonly code: string }
  | { readonly factor: "recovery_code"; readonly code: string }
  | { readonly factor: "passkey"; readonly responseJson: string };

/** Fields of requests that show a factor; exactly one of them is not empty. */
export interface ProofFields {
  readonly password?: string;
  readonly totpCode: string;
  readonly recoveryCode: string;
  readonly passkeyResponseJson: string;
}

/** @throws Fault request.validation_failed unless exactly one is set */
export function readProof(fields: ProofFields): Proof {
  const { password = "", totpCode, recoveryCode, passkeyResponseJson: responseJson } = fields;
  const given: Proof[] = [
    ...(password === "" ? [] : [{ factor: "password", password } as const]),
    ...(totpCode === "" ? [] : [{ factor: "totp", code: totpCode } as const]),
    ...(recoveryCode === "" ? [] : [{ factor: "recovery_code", code: recoveryCode } as const]),
    ...(responseJson === "" ? [] : [{ factor: "passkey", responseJson } as const]),
  ];
  const [proof, another] = given;
  if (proof && !another) return proof;
  const message = proof ? say("one_factor") : say("factor_needed");
  throw validationFault([{ pointer: "", code: proof ? "field.conflict" : "field.required", message }]);
}

export interface ProofContext {
  readonly session: Pick<SessionDocument, "_id" | "userId" | "email">;
  readonly clientAddress: string;
}

/** Resolves to the factor that was shown. @throws Fault auth.credentials_invalid, auth.factor_invalid, auth.throttled, service.busy */
export type ProveFactor = (proof: Proof, context: ProofContext) => Promise<FactorName>;

type Needs = Pick<SessionNeeds, "store" | "passwords" | "throttle" | "webauthn" | "clock">;

/** Wrong passwords and wrong codes share a count, and codes are also counted per user, to limit guessing. */
export function createProveFactor({ store, passwords, throttle, webauthn, clock }: Needs): ProveFactor {
  const { factors } = store;

  async function isRight(proof: Proof, userId: string): Promise<boolean> {
    switch (proof.factor) {
      case "password": {
        const user = await store.users.findById(userId);
        return passwords.matches(proof.password, user?.passwordHash || undefined);
      }
      case "totp": {
        const totp = await factors.findTotp(userId);
        if (!totp?.confirmedAt) return false;
        const step = await stepOfCode(totp.secret, proof.code, clock.now());
        return step !== undefined && factors.useStep(totp, step);
      }
      case "recovery_code": {
        const hash = hashOfRecoveryCode(proof.code);
        return hash !== undefined && factors.useRecoveryCode(userId, hash);
      }
      case "passkey":
        return (await webauthn.finishProof(userId, proof.responseJson)) !== undefined;
    }
  }

  return async (proof, { session: { userId, email }, clientAddress }) => {
    const isPassword = proof.factor === "password";
    const isCode = proof.factor === "totp" || proof.factor === "recovery_code";
    const attempt = { email, clientAddress, ...(isCode && { userId }) };
    await throttle.begin(attempt);
    if (!(await isRight(proof, userId))) {
      throw fault(isPassword ? "auth.credentials_invalid" : "auth.factor_invalid");
    }
    await throttle.succeeded(attempt);
    return proof.factor;
  };
}
