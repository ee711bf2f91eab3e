import { Menu, useMantineColorScheme } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { SignedIn } from "../../api/session.ts";
import { t } from "../../texts/texts.ts";
import { signOutHere } from "./sign-out.ts";

const schemes = ["light", "dark", "auto"] as const;

interface UserMenuProps {
  readonly session: SignedIn;
  readonly onKeyHelp: () => void;
}

/** The user's menu: user page, help, colors, and sign-out. */
export function UserMenu({ session, onKeyHelp }: UserMenuProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();

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
        <Menu.Item onClick={onKeyHelp}>{t.shell.keyHelp}</Menu.Item>
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
        <Menu.Item onClick={() => void signOutHere()}>{t.shell.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
