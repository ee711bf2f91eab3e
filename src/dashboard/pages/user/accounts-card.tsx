import { Button, TextInput } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { home } from "../../api/client.ts";
import { type SignedIn, sessionQuery, signInOptionsQuery, switchAccount } from "../../api/session.ts";
import { announceSession } from "../../api/tabs.ts";
import { createOwnAccount, leaveAccount } from "../../api/users.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Row, RowCard } from "../../parts/row-list.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

type Membership = SignedIn["memberships"][number];

/** Accounts that the user belongs to: leave one, create another. */
export function AccountsCard() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data: options } = useQuery(signInOptionsQuery);
  const [leaving, setLeaving] = useState<Membership>();
  const [isCreating, setCreating] = useState(false);
  const [name, setName] = useState("");
  const leave = useMutation({
    mutationFn: ({ account_id }: Membership) => leaveAccount(account_id),
    onSuccess: (next) => showAnew(next, "user"),
  });
  const create = useMutation({
    mutationFn: async () => switchAccount((await createOwnAccount(name)).account_id),
    onSuccess: (next) => showAnew(next, ""),
  });
  const action = options?.sign_up && (
    <Button variant="default" onClick={() => setCreating(true)}>
      {t.user.createAccount}
    </Button>
  );
  return (
    <RowCard title={t.user.accounts} action={action}>
      <ul className="entries">
        {session.memberships.map((membership) => {
          const { account_id, account_name, role } = membership;
          const isShown = account_id === session.account_id;
          return (
            <Row
              key={account_id}
              title={account_name}
              detail={[t.user.roles[role] ?? role, ...(isShown ? [t.user.shown] : [])].join(", ")}
            >
              <Button
                variant="default"
                aria-label={t.user.leaveOf(account_name)}
                onClick={() => {
                  leave.reset();
                  setLeaving(membership);
                }}
              >
                {t.user.leave}
              </Button>
            </Row>
          );
        })}
      </ul>
      {leaving && (
        <Confirm
          title={t.user.leaveOf(leaving.account_name)}
          detail={t.user.leaveDetail}
          action={t.user.leave}
          isPending={leave.isPending}
          error={leave.error}
          onConfirm={() => leave.mutate(leaving)}
          onClose={() => setLeaving(undefined)}
        />
      )}
      {isCreating && (
        <FormDialog
          title={t.user.createAccount}
          detail={t.user.createAccountDetail}
          action={t.user.createAccount}
          isPending={create.isPending}
          error={create.error}
          onSubmit={() => create.mutate()}
          onClose={() => setCreating(false)}
        >
          <TextInput
            label={t.user.accountName}
            maxLength={100}
            required
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </FormDialog>
      )}
    </RowCard>
  );
}

/** Reloads the page: all loaded data may belong to another account. */
function showAnew(session: SignedIn, path: string): void {
  announceSession(session);
  window.location.assign(`${home}/dashboard/${path}`);
}
