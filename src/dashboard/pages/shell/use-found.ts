import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { foundDomains, foundKeys, foundMessages, foundPolicies, foundTemplates } from "../../api/find.ts";
import { useMay } from "../../parts/use-may.ts";
import { withoutSecret } from "../../parts/without-secret.ts";
import { t } from "../../texts/texts.ts";
import { nameOf } from "../keys/name-of.ts";
import { transportsText } from "../policies/transport-text.ts";
import type { PaletteAction, PaletteGroup } from "./palette-action.ts";

const TYPING_MS = 250;
const MIN_LENGTH = 2;

interface Search<Row> {
  readonly data: { readonly rows: readonly Row[]; readonly isMore: boolean } | undefined;
  readonly error: Error | null;
}

/**
 * Searches messages, domains, policies, templates and keys on the server, if the user's role allows it, once the text has
 * not changed for a moment. The entries always belong to the current text.
 */
export function useFound(typed: string): readonly PaletteGroup[] {
  const may = useMay();
  const navigate = useNavigate();
  const text = withoutSecret(typed.trim());
  const [asked] = useDebouncedValue(text, TYPING_MS);
  const isWanted = text.length >= MIN_LENGTH;
  const enabled = isWanted && asked === text;
  const messages = useQuery({ ...foundMessages(asked), enabled: enabled && may("messages.read") });
  const domains = useQuery({ ...foundDomains(asked), enabled: enabled && may("domains.read") });
  const templates = useQuery({ ...foundTemplates(asked), enabled: enabled && may("templates.read") });
  const keys = useQuery({ ...foundKeys(asked), enabled: enabled && may("keys.read") });
  const policies = useQuery({ ...foundPolicies(asked), enabled: enabled && may("policies.read") });
  if (!isWanted) return [];

  function group<Row>(
    label: string,
    { data, error }: Search<Row>,
    toAction: (row: Row) => PaletteAction,
    showAll: () => void,
  ): PaletteGroup {
    const isCurrent = asked === text;
    const actions = isCurrent ? (data?.rows ?? []).map(toAction) : [];
    const all = { id: `all ${label}`, label: t.shell.showAll(label, text), run: showAll };
    return {
      label,
      actions: isCurrent && data?.isMore ? [...actions, all] : actions,
      isSearching: !isCurrent || (data === undefined && error === null),
      error: isCurrent ? error : null,
    };
  }

  return [
    ...(may("messages.read")
      ? [
          group(
            t.shell.messages,
            messages,
            ({ id, subject, recipient, state }) => ({
              id,
              label: subject || t.messages.noSubject,
              description: `${recipient} · ${t.messages.states[state] ?? state}`,
              run: () => void navigate({ to: "/messages/$messageId", params: { messageId: id } }),
            }),
            () => void navigate({ to: "/messages", search: { q: text } }),
          ),
        ]
      : []),
    ...(may("domains.read")
      ? [
          group(
            t.shell.domains,
            domains,
            ({ name, status }) => ({
              id: `domain ${name}`,
              label: name,
              description: t.domains.statuses[status] ?? status,
              run: () => void navigate({ to: "/domains/$domain", params: { domain: name } }),
            }),
            () => void navigate({ to: "/domains", search: { search: text } }),
          ),
        ]
      : []),
    ...(may("templates.read")
      ? [
          group(
            t.templates.title,
            templates,
            ({ name, subject }) => ({
              id: `template ${name}`,
              label: name,
              description: subject,
              run: () => void navigate({ to: "/templates/$name", params: { name } }),
            }),
            () => void navigate({ to: "/templates", search: { search: text } }),
          ),
        ]
      : []),
    ...(may("policies.read")
      ? [
          group(
            t.policies.title,
            policies,
            ({ name, transports }) => ({
              id: `policy ${name}`,
              label: name,
              description: transportsText(transports),
              run: () => void navigate({ to: "/policies/$name", params: { name } }),
            }),
            () => void navigate({ to: "/policies" }),
          ),
        ]
      : []),
    ...(may("keys.read")
      ? [
          group(
            t.shell.keys,
            keys,
            (key) => ({
              id: key.id,
              label: nameOf(key),
              description: `${key.prefix}… · ${t.keys.states[key.state] ?? key.state}`,
              run: () => void navigate({ to: "/keys/$keyId", params: { keyId: key.id } }),
            }),
            () => void navigate({ to: "/keys", search: { query: text } }),
          ),
        ]
      : []),
  ];
}
