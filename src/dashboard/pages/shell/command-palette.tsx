import "@mantine/spotlight/styles.css";
import { useMantineColorScheme } from "@mantine/core";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { SignedIn } from "../../api/session.ts";
import { detailOf } from "../../parts/problem-notice.tsx";
import { t } from "../../texts/texts.ts";
import { sections, unlisted } from "./navigation.tsx";
import type { PaletteGroup } from "./palette-action.ts";
import { signOutHere } from "./sign-out.ts";
import { useFound } from "./use-found.ts";

const schemes = ["light", "dark", "auto"] as const;
const [paletteStore, { open }] = createSpotlight();

export const openPalette = open;
/** Longer texts match no name. */
const MAX_LENGTH = 200;

interface CommandPaletteProps {
  readonly session: SignedIn;
  readonly onKeyHelp: () => void;
}

/** Finds pages, actions, messages, domains, policies, templates and API keys. */
export function CommandPalette({ session, onKeyHelp }: CommandPaletteProps) {
  const [text, setText] = useState("");
  const local = useLocalActions(session, onKeyHelp).map(({ label, actions }) => ({
    label,
    actions: actions.filter((one) => one.label.toLowerCase().includes(text.trim().toLowerCase())),
  }));
  const found = useFound(text);
  const groups: readonly PaletteGroup[] = [...local, ...found];
  const shown = groups.filter(({ actions }) => actions.length > 0);
  const failed = found.filter(({ error }) => error);
  useSelection(shown);
  return (
    <Spotlight.Root
      store={paletteStore}
      query={text}
      onQueryChange={setText}
      shortcut={null}
      scrollable
      maxHeight="60vh"
    >
      <Spotlight.Search
        placeholder={t.shell.searchHint}
        aria-label={t.shell.searchLabel}
        maxLength={MAX_LENGTH}
      />
      {/* Above the entries, which grow while the text changes. */}
      <div className="palette-state">
        <p role="status" className="faint">
          {stateOf(found, shown)}
        </p>
        {failed.map(({ label, error }) => (
          <p key={label} role="alert">
            {t.shell.searchFailed(label)} {error && detailOf(error)}
          </p>
        ))}
      </div>
      <Spotlight.ActionsList>
        {shown.map(({ label, actions }) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {actions.map(({ id, label: name, description, run }) => (
              <Spotlight.Action
                key={id}
                label={name}
                {...(description && { description })}
                onClick={run}
                highlightQuery
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/**
 * Keeps the selection while new entries appear above it: on the first entry, or on the one that the user has moved to.
 * Spotlight marks it in the document only when a key is pressed.
 */
function useSelection(shown: readonly PaletteGroup[]): void {
  const ids = shown.flatMap(({ actions }) => actions.map(({ id }) => id)).join(" ");
  useEffect(() => {
    const entries = ids === "" ? [] : [...document.querySelectorAll("[data-action]")];
    const marked = entries.findIndex((entry) => entry.hasAttribute("data-selected"));
    const selected = paletteStore.getState().selected > 0 && marked > 0 ? marked : 0;
    for (const entry of entries) entry.removeAttribute("data-selected");
    entries[selected]?.setAttribute("data-selected", "true");
    paletteStore.updateState((state) => ({ ...state, selected }));
  }, [ids]);
}

function stateOf(found: readonly PaletteGroup[], shown: readonly PaletteGroup[]): string {
  const searching = found.filter(({ isSearching }) => isSearching).map(({ label }) => label);
  if (searching.length > 0) return t.shell.searching(searching.join(", "));
  const count = shown.reduce((sum, { actions }) => sum + actions.length, 0);
  if (count > 0) return t.shell.found(count);
  return found.some(({ error }) => error) ? "" : t.shell.nothingFound;
}

/** Entries without a search: actions, and pages that the role allows. */
function useLocalActions(session: SignedIn, onKeyHelp: () => void): readonly PaletteGroup[] {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const pages = [...sections.flatMap(({ destinations }) => destinations), ...unlisted]
    .filter(({ permission }) => session.permissions.includes(permission))
    .map(({ label, to }) => ({ id: to as string, label, run: () => void navigate({ to }) }));
  const own = { id: "/user", label: t.user.title, run: () => void navigate({ to: "/user" }) };
  const colors = schemes.map((scheme) => ({
    id: scheme,
    label: t.shell.colors(t.shell.theme[scheme]),
    run: () => setColorScheme(scheme),
  }));
  const actions = [
    { id: "keys", label: t.shell.showKeys, run: onKeyHelp },
    ...colors,
    { id: "sign-out", label: t.shell.signOut, run: () => void signOutHere() },
  ];
  return [
    { label: t.shell.pages, actions: [...pages, own] },
    { label: t.common.actions, actions },
  ];
}
