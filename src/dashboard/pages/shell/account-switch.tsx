import { Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { restartLive } from "../../api/live.ts";
import { type SignedIn, switchAccount } from "../../api/session.ts";
import { t } from "../../texts/texts.ts";

/** Names the account, and switches to another one where the user belongs to several. */
export function AccountSwitch({ session }: { readonly session: SignedIn }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const current = session.memberships.find(({ account_id }) => account_id === session.account_id);
  const name = current?.account_name || "Hermod";
  const face = (
    <>
      <span className="mark" aria-hidden="true">
        {name.slice(0, 1).toUpperCase()}
      </span>
      <span>{name}</span>
    </>
  );
  if (session.memberships.length < 2) return <div className="account">{face}</div>;

  async function choose(accountId: string) {
    await switchAccount(accountId);
    // Everything that is loaded belongs to the former account.
    queryClient.clear();
    restartLive();
    await navigate({ to: "/" });
  }

  return (
    <Menu position="bottom-start" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button type="button" className="account" aria-label={t.shell.switchAccount(name)}>
          {face}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {session.memberships.map(({ account_id, account_name }) => (
          <Menu.Item key={account_id} onClick={() => void choose(account_id)}>
            {account_name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
