import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Permission, type Role, rolesQuery } from "../../api/members.ts";
import { sessionQuery } from "../../api/session.ts";
import { ToneIcon } from "../../parts/icons.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { ownText } from "../../texts/own-text.ts";
import { t } from "../../texts/texts.ts";

const columnsOf = (roles: readonly Role[]): readonly Column<Permission>[] => [
  {
    heading: t.roles.permission,
    cell: ({ name, description }) => (
      <>
        {ownText(t.server.permissions, name) ?? description} <span className="faint mono">{name}</span>
      </>
    ),
    className: "wrap first",
  },
  ...roles.map((role) => ({
    heading: nameOf(role),
    cell: ({ name }: Permission) => <Mark isAllowed={role.permissions.includes(name)} role={nameOf(role)} />,
    className: "center",
  })),
];

/** Permissions of each role. */
export function RolesPage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const query = useQuery(rolesQuery);
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
      <StateView query={query}>
        {({ roles, permissions }) => (
          <>
            <div className="role-cards">
              {roles.map((role) => (
                <section key={role.name} className="card" aria-label={nameOf(role)}>
                  <div className="body">
                    <h2>
                      {nameOf(role)}{" "}
                      {role.name === own && <span className="chip small">{t.members.you}</span>}
                    </h2>
                    <p className="muted tight">{t.roles.details[role.name] ?? role.description}</p>
                  </div>
                </section>
              ))}
            </div>
            <div className="card permissions">
              <Table
                label={t.roles.title}
                columns={columnsOf(roles)}
                rows={permissions}
                rowKey={({ name }) => name}
              />
            </div>
          </>
        )}
      </StateView>
    </>
  );
}

const nameOf = ({ name }: Role) => t.user.roles[name] ?? name;

function Mark({ isAllowed, role }: { readonly isAllowed: boolean; readonly role: string }) {
  const text = `${role}: ${isAllowed ? t.roles.allowed : t.roles.refused}`;
  return (
    <span className={isAllowed ? "mark-of ok" : "mark-of"}>
      {isAllowed ? <ToneIcon tone="ok" /> : <span aria-hidden="true">–</span>}
      <span className="skip-text">{text}</span>
    </span>
  );
}
