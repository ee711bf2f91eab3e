import { Menu, useMantineColorScheme } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type SignedIn, signOut } from "../../api/session.ts";
import { t } from "../../texts/texts.ts";

const schemes = ["light", "dark", "auto"] as const;

/** The user's own menu: colors of the pages, and the end of the session. */
export function UserMenu({ session }: { readonly session: SignedIn }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const queryClient = useQueryClient();
  const navigate = useNavigate();

  async function leave() {
    await signOut();
    queryClient.clear();
    await navigate({ to: "/sign-in" });
  }

  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button type="button" className="chip" aria-label={t.shell.user(session.email)}>
          <b>{session.email}</b>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
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
