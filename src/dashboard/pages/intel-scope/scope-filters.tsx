import { ClientPick } from "./client-pick.tsx";
import { DomainPick } from "./domain-pick.tsx";
import { WorkspacePick } from "./workspace-pick.tsx";

/** The domains that a page is about. */
export interface Scope {
  readonly workspace_id?: string | undefined;
  readonly client_id?: string | undefined;
  readonly domain_id?: string | undefined;
}

interface ScopeFiltersProps {
  readonly scope: Scope;
  readonly onChange: (scope: Scope) => void;
}

/** Filters by workspace, client and domain. A client or a domain of another workspace would find nothing. */
export function ScopeFilters({ scope, onChange }: ScopeFiltersProps) {
  const { workspace_id, client_id, domain_id } = scope;
  return (
    <>
      <WorkspacePick
        value={workspace_id}
        onPick={(picked) => onChange({ workspace_id: picked, client_id: undefined, domain_id: undefined })}
      />
      <ClientPick
        workspace={workspace_id}
        value={client_id}
        onPick={(picked) => onChange({ client_id: picked, domain_id: undefined })}
      />
      <DomainPick
        workspace={workspace_id}
        value={domain_id}
        onPick={(picked) => onChange({ domain_id: picked, client_id: undefined })}
      />
    </>
  );
}
