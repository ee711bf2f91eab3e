import { Menu, useMantineColorScheme } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { hasEnded, home } from "../../api/client.ts";
import { type SignedIn, signOut } from "../../api/session.ts";
import { announceSession } from "../../api/tabs.ts";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { t } from "../../texts/texts.ts";

const schemes = ["light", "dark", "auto"] as const;

/** The user's own menu: colors of the pages, and the end of the session. */
export function UserMenu({ session }: { readonly session: SignedIn }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();

  async function leave() {
    try {
      await signOut();
    } catch (error) {
      // A session that has ended already needs no end.
      if (!hasEnded(error)) return notifyProblem(error as Error);
    }
    announceSession(undefined);
    // Nothing of what was loaded stays in memory.
    window.location.assign(`${home}/dashboard/sign-in`);
  }

  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button type="button" className="chip" aria-label={t.shell.user(session.email)}>
          <b>{session.email}</b>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/user">
          {t.user.title}
        </Menu.Item>
        <Menu.Divider />
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            {...(colorScheme === scheme && { rightSection: "✓" })}
          >
            {t.shell.theme[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void leave()}>{t.shell.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
