import { Menu } from "@mantine/core";
import { home } from "../../api/client.ts";
import { type SignedIn, switchAccount } from "../../api/session.ts";
import { announceSession } from "../../api/tabs.ts";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { t } from "../../texts/texts.ts";

/** Shows the account, and switches to another one if the user belongs to several. */
export function AccountSwitch({ session }: { readonly session: SignedIn }) {
  const current = session.memberships.find(({ account_id }) => account_id === session.account_id);
  const name = current?.account_name || "Hermod";
  const face = (
    <>
      {/* Drawn by CSS: as text, it would be part of the button's label. */}
      <span className="mark" aria-hidden="true" data-letter={name.slice(0, 1).toUpperCase()} />
      <span>{name}</span>
    </>
  );
  if (session.memberships.length < 2) return <div className="account">{face}</div>;

  async function choose(accountId: string) {
    try {
      announceSession(await switchAccount(accountId));
    } catch (error) {
      notifyProblem(error as Error);
      return;
    }
    // All loaded data belongs to the former account: queries, and the state of components.
    window.location.assign(`${home}/dashboard/`);
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
