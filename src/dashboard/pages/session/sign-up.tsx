import { TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { signInOptionsQuery } from "../../api/session.ts";
import { completeSignUp, findSignUp, requestSignUp } from "../../api/users.ts";
import { t } from "../../texts/texts.ts";
import { AskForMail } from "./ask-for-mail.tsx";
import { ChoosePassword } from "./choose-password.tsx";
import { MailLinkPage } from "./mail-link.tsx";
import { useEntered } from "./use-entered.ts";

/** Creates a user with a new account, if the operator has enabled sign-up. */
export function SignUpPage() {
  const entered = useEntered(undefined);
  const { data: options } = useQuery(signInOptionsQuery);
  const [name, setName] = useState("");
  const ask =
    options?.sign_up === false ? (
      <p className="muted tight">{t.mailLinks.signUpClosed}</p>
    ) : (
      <AskForMail detail={t.mailLinks.signUpDetail} sent={t.mailLinks.signUpSent} send={requestSignUp} />
    );
  return (
    <MailLinkPage title={t.mailLinks.signUpTitle} find={findSignUp} without={ask}>
      {({ token, found: { email }, forget }) => (
        <ChoosePassword
          detail={t.mailLinks.signUpChoose(email)}
          email={email}
          action={t.mailLinks.begin}
          send={(password) => completeSignUp({ token, password, account_name: name })}
          onDone={(session) => {
            forget();
            return entered(session);
          }}
        >
          <TextInput
            label={t.mailLinks.accountName}
            autoComplete="organization"
            maxLength={100}
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </ChoosePassword>
      )}
    </MailLinkPage>
  );
}
