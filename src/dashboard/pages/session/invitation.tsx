import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { readSession, type SignedIn } from "../../api/session.ts";
import { acceptInvitation, findInvitation, joinAccount, type OpenInvitation } from "../../api/users.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { ChoosePassword } from "./choose-password.tsx";
import { AskAgain, MailLinkPage, type MailLinkProps } from "./mail-link.tsx";
import { SignInAgain } from "./sign-in-again.tsx";
import { useEntered } from "./use-entered.ts";

/** Joins the account of an invitation link. */
export function InvitationPage() {
  const entered = useEntered(undefined);
  return (
    <MailLinkPage
      title={t.mailLinks.invitationTitle}
      find={findInvitation}
      without={<AskAgain>{t.mailLinks.invitationAsk}</AskAgain>}
    >
      {(link) => {
        const { invitation, account_name, has_user } = link.found;
        const role = t.user.roles[invitation.role] ?? invitation.role;
        return (
          <>
            <p className="tight">{t.mailLinks.invited(account_name, role)}</p>
            {has_user ? (
              <JoinAsUser {...link} />
            ) : (
              <ChoosePassword
                detail={t.mailLinks.choosePassword}
                email={invitation.email}
                action={t.mailLinks.join}
                send={(password) => acceptInvitation({ token: link.token, password })}
                onDone={(session) => {
                  link.forget();
                  return entered(session);
                }}
              />
            )}
          </>
        );
      }}
    </MailLinkPage>
  );
}

/** The user of the address joins with a button: opening a link must not create a membership. */
function JoinAsUser({ token, found: { invitation }, forget }: MailLinkProps<OpenInvitation>) {
  const entered = useEntered(undefined);
  const [session, setSession] = useState<SignedIn | null>();
  const join = useMutation({
    mutationFn: () => joinAccount(token),
    onSuccess: (joined) => {
      forget();
      return entered(joined);
    },
  });
  useEffect(() => {
    readSession().then(setSession, () => setSession(null));
  }, []);
  if (session === undefined) return null;
  const isUser = session?.email === invitation.email && !session.second_factor_required;
  if (isUser)
    return (
      <>
        <FormFault error={join.error} />
        <Button loading={join.isPending} onClick={() => join.mutate()}>
          {t.mailLinks.join}
        </Button>
      </>
    );
  return (
    <>
      <FormFault error={join.error} />
      <p className="muted tight">{t.mailLinks.signInToJoin(invitation.email)}</p>
      {session && session.email !== invitation.email && (
        <p className="muted tight">{t.mailLinks.otherUser(session.email)}</p>
      )}
      <SignInAgain
        email={invitation.email}
        onSignedIn={(next) => {
          setSession(next);
          if (next.email === invitation.email) join.mutate();
        }}
      />
    </>
  );
}
