import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { confirmEmailChange, findEmailChange } from "../../api/users.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { AskAgain, Done, MailLinkPage, type MailLinkProps } from "./mail-link.tsx";

/** Confirms a new address of a user. */
export function ChangeEmailPage() {
  return (
    <MailLinkPage
      title={t.mailLinks.changeTitle}
      find={findEmailChange}
      without={<AskAgain>{t.mailLinks.changeAsk}</AskAgain>}
    >
      {(link) => <ConfirmAddress {...link} />}
    </MailLinkPage>
  );
}

/** Opening a link must change nothing, because mail scanners open links too. */
function ConfirmAddress({ token, found, forget }: MailLinkProps<{ readonly email: string }>) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => confirmEmailChange(token),
    onSuccess: () => {
      forget();
      queryClient.clear();
    },
  });
  if (confirm.isSuccess)
    return (
      <Done action={<Button onClick={() => void navigate({ to: "/" })}>{t.mailLinks.goOn}</Button>}>
        {t.mailLinks.changeDone(found.email)}
      </Done>
    );
  return (
    <>
      <p className="muted tight">{t.mailLinks.changeDetail(found.email)}</p>
      <FormFault error={confirm.error} />
      <Button loading={confirm.isPending} onClick={() => confirm.mutate()}>
        {t.mailLinks.changeConfirm}
      </Button>
    </>
  );
}
