import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type PermissionName, permissions } from "../../../../contracts/common/permissions.ts";
import { sessionQuery } from "../../api/session.ts";
import { ToneIcon } from "../../parts/icons.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { t } from "../../texts/texts.ts";
import { permissionsOf, roleNames } from "./role-permissions.ts";

const columns: readonly Column<PermissionName>[] = [
  {
    heading: t.roles.permission,
    cell: (permission) => (
      <>
        {t.server.permissions[permission] ?? permissions[permission]}{" "}
        <span className="faint mono">{permission}</span>
      </>
    ),
    className: "wrap first",
  },
  ...roleNames.map((role) => ({
    heading: t.user.roles[role] ?? role,
    cell: (permission: PermissionName) => (
      <Mark isAllowed={permissionsOf[role].includes(permission)} role={t.user.roles[role] ?? role} />
    ),
    className: "center",
  })),
];

/** Permissions of each role. */
export function RolesPage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const own = session.memberships.find(({ account_id }) => account_id === session.account_id)?.role;
  return (
    <>
      <PageHead
        title={t.roles.title}
        detail={t.roles.detail}
        above={
          <Link to="/account/members" className="link">
            {t.members.title}
          </Link>
        }
      />
      <div className="role-cards">
        {roleNames.map((role) => (
          <section key={role} className="card" aria-label={t.user.roles[role] ?? role}>
            <div className="body">
              <h2>
                {t.user.roles[role] ?? role}{" "}
                {role === own && <span className="chip small">{t.members.you}</span>}
              </h2>
              <p className="muted tight">{t.roles.details[role]}</p>
            </div>
          </section>
        ))}
      </div>
      <div className="card permissions">
        <Table
          label={t.roles.title}
          columns={columns}
          rows={Object.keys(permissions) as PermissionName[]}
          rowKey={(permission) => permission}
        />
      </div>
    </>
  );
}

function Mark({ isAllowed, role }: { readonly isAllowed: boolean; readonly role: string }) {
  const text = `${role}: ${isAllowed ? t.roles.allowed : t.roles.refused}`;
  return (
    <span className={isAllowed ? "mark-of ok" : "mark-of"}>
      {isAllowed ? <ToneIcon tone="ok" /> : <span aria-hidden="true">–</span>}
      <span className="skip-text">{text}</span>
    </span>
  );
}
