import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { completePasswordReset, findPasswordReset, requestPasswordReset } from "../../api/users.ts";
import { t } from "../../texts/texts.ts";
import { AskForMail } from "./ask-for-mail.tsx";
import { ChoosePassword } from "./choose-password.tsx";
import { Done, MailLinkPage } from "./mail-link.tsx";

/** Replaces a forgotten password with the link of a mail. */
export function ResetPasswordPage() {
  const navigate = useNavigate();
  const [isDone, setDone] = useState(false);
  const ask = (
    <AskForMail detail={t.mailLinks.resetDetail} sent={t.mailLinks.resetSent} send={requestPasswordReset} />
  );
  return (
    <MailLinkPage title={t.mailLinks.resetTitle} find={findPasswordReset} without={ask}>
      {({ token, found: { email }, forget }) =>
        isDone ? (
          <Done
            action={<Button onClick={() => void navigate({ to: "/sign-in" })}>{t.mailLinks.toSignIn}</Button>}
          >
            {t.mailLinks.resetDone}
          </Done>
        ) : (
          <ChoosePassword
            detail={t.mailLinks.resetChoose(email)}
            email={email}
            label={t.session.newPassword}
            action={t.session.setPassword}
            send={(new_password) => completePasswordReset({ token, new_password })}
            onDone={() => {
              forget();
              setDone(true);
            }}
          />
        )
      }
    </MailLinkPage>
  );
}
