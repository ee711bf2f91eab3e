import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import type { Factor, SignedIn } from "../../api/session.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import type { Way } from "./ways.ts";

export type Proof = { readonly password: string } | Factor;

interface ProofFormProps {
  /** Address of the user, for password managers. */
  readonly email: string;
  /** Methods that the user can choose. The first one is shown. */
  readonly ways: readonly Way[];
  readonly send: (proof: Proof) => Promise<SignedIn>;
  readonly onShown: (session: SignedIn) => unknown;
  readonly onError?: (error: Error) => void;
  /** Further methods, below those of the form. */
  readonly children?: ReactNode;
}

/** Asks the user for a factor: a password, a code, or a passkey. */
export function ProofForm({ email, ways, send, onShown, onError, children }: ProofFormProps) {
  const [chosen, setChosen] = useState<Way>();
  const [text, setText] = useState("");
  const way = chosen ?? ways[0] ?? "password";
  const show = useMutation({ mutationFn: send, onSuccess: onShown, ...(onError && { onError }) });

  function choose(next: Way) {
    setText("");
    setChosen(next);
    show.reset();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    show.mutate(way === "passkey" ? "passkey" : ({ [way]: text } as unknown as Proof));
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        {way === "password" && (
          <PasswordInput
            label={t.common.password}
            autoComplete="current-password"
            required
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        {way === "code" && (
          <TextInput
            label={t.session.code}
            description={t.session.codeDetail}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            required
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <FormFault error={show.error} {...(way === "passkey" && { otherwise: t.session.passkeyFailed })} />
        <Button type="submit" loading={show.isPending} {...(way === "passkey" && { "data-autofocus": true })}>
          {way === "passkey" ? t.session.usePasskey : t.session.goOn}
        </Button>
        {ways
          .filter((one) => one !== way)
          .map((one) => (
            <Button key={one} variant="default" onClick={() => choose(one)}>
              {t.session.instead[one]}
            </Button>
          ))}
        {children}
      </Stack>
    </form>
  );
}
