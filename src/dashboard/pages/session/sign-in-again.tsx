import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import {
  canUsePasskeys,
  readSession,
  type SignedIn,
  showSecondFactor,
  signIn,
  signInOptionsQuery,
  signInWithPasskey,
} from "../../api/session.ts";
import { type Proof, ProofForm } from "./proof-form.tsx";
import { ProviderButton } from "./provider-button.tsx";
import { secondFactorWays } from "./ways.ts";

interface SignInAgainProps {
  readonly email: string;
  readonly onSignedIn: (session: SignedIn) => unknown;
}

/** Signs in a user after the session has ended: all steps, in the dialog of the page. */
export function SignInAgain({ email, onSignedIn }: SignInAgainProps) {
  const { data: options } = useQuery(signInOptionsQuery);
  const [pending, setPending] = useState<SignedIn>();
  const goOn = (session: SignedIn) =>
    session.second_factor_required ? setPending(session) : onSignedIn(session);

  // The user may have signed in in another tab.
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible") void readSession().then(goOn, () => undefined);
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  });

  if (pending)
    return (
      <ProofForm
        key="second"
        email={email}
        ways={secondFactorWays(pending)}
        send={(proof) => showSecondFactor(proof as Exclude<Proof, { readonly password: string }>)}
        onShown={goOn}
      />
    );
  return (
    <ProofForm
      key="first"
      email={email}
      ways={options?.passkeys && canUsePasskeys ? ["password", "passkey"] : ["password"]}
      send={(proof) =>
        typeof proof === "object" && "password" in proof
          ? signIn({ email, password: proof.password })
          : signInWithPasskey()
      }
      onShown={goOn}
    >
      <ProviderButton options={options} />
    </ProofForm>
  );
}
