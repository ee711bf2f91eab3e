import { Button, Divider, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { signIn, signInOptionsQuery, signInWithPasskey } from "../../api/session.ts";
import { Answer } from "../../parts/answer.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { EntryPage } from "./entry-page.tsx";
import { ProviderButton } from "./provider-button.tsx";
import { useEntered } from "./use-entered.ts";

const route = getRouteApi("/sign-in");

export function SignInPage() {
  const { return_to, fault } = route.useSearch();
  const entered = useEntered(return_to);
  const { data: options } = useQuery(signInOptionsQuery);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const withPassword = useMutation({ mutationFn: signIn, onSuccess: entered });
  const withPasskey = useMutation({ mutationFn: signInWithPasskey, onSuccess: entered });

  function submit(event: FormEvent) {
    event.preventDefault();
    withPassword.mutate({ email, password });
  }

  return (
    <EntryPage title={t.session.signInTo}>
      {fault !== undefined && (
        <Answer tone="bad" role="alert">
          <p>{t.session.providerFaults[fault] ?? t.session.providerFault(fault)}</p>
        </Answer>
      )}
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t.common.email}
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label={t.common.password}
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <FormFault error={withPassword.error} />
          <Button type="submit" loading={withPassword.isPending}>
            {t.session.signIn}
          </Button>
          {options?.password_reset && (
            <Link className="link" to="/reset-password">
              {t.session.forgot}
            </Link>
          )}
        </Stack>
      </form>
      {(options?.passkeys || options?.oidc_name) && <Divider />}
      {options?.passkeys && (
        <Button variant="default" onClick={() => withPasskey.mutate()} loading={withPasskey.isPending}>
          {t.session.withPasskeyLabel}
        </Button>
      )}
      {withPasskey.isError && <FormFault error={withPasskey.error} otherwise={t.session.passkeyFailed} />}
      <ProviderButton options={options} returnTo={return_to ?? "/"} />
      {options?.sign_up && (
        <Link className="link" to="/sign-up">
          {t.session.signUp}
        </Link>
      )}
    </EntryPage>
  );
}
