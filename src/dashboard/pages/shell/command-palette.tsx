import "@mantine/spotlight/styles.css";
import { useMantineColorScheme } from "@mantine/core";
import { Spotlight, type SpotlightActionData } from "@mantine/spotlight";
import { useNavigate } from "@tanstack/react-router";
import type { SignedIn } from "../../api/session.ts";
import { t } from "../../texts/texts.ts";
import { sections } from "./navigation.tsx";

const schemes = ["light", "dark", "auto"] as const;

/** Finds pages and actions by their names. Ctrl K, ⌘ K and `/` open it. */
export function CommandPalette({ session }: { readonly session: SignedIn }) {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const pages = sections
    .flatMap(({ label, destinations }) => destinations.map((one) => ({ ...one, section: label })))
    .filter(({ permission }) => session.permissions.includes(permission))
    .map(
      ({ label, section, to }): SpotlightActionData => ({
        id: to,
        label,
        ...(section && { description: section }),
        onClick: () => void navigate({ to }),
      }),
    );
  const actions = schemes.map(
    (scheme): SpotlightActionData => ({
      id: scheme,
      label: t.shell.colors(t.shell.theme[scheme]),
      onClick: () => setColorScheme(scheme),
    }),
  );
  return (
    <Spotlight
      actions={[...pages, ...actions]}
      shortcut={["mod + K", "/"]}
      highlightQuery
      nothingFound={t.shell.nothingFound}
      searchProps={{ placeholder: t.shell.searchHint, "aria-label": t.shell.searchLabel }}
    />
  );
}
