import { Radio, Stack } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { rolesQuery } from "../../api/members.ts";
import { sessionQuery } from "../../api/session.ts";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { isWithin } from "./role-permissions.ts";

interface RoleFieldProps {
  readonly value: string;
  readonly onChange: (role: string) => void;
  readonly error?: React.ReactNode;
}

/** Choice of a role, each with what it may do. Roles beyond the own one cannot be chosen. */
export function RoleField({ value, onChange, error }: RoleFieldProps) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const query = useQuery(rolesQuery);
  return (
    <StateView query={query}>
      {({ roles }) => (
        <Radio.Group label={t.members.role} value={value} onChange={onChange} error={error}>
          <Stack gap="xs" mt={6}>
            {roles.map(({ name, description }) => {
              const isOpen = isWithin(name, session.permissions, roles);
              return (
                <Radio
                  key={name}
                  value={name}
                  disabled={!isOpen}
                  label={t.user.roles[name] ?? name}
                  description={isOpen ? (t.roles.details[name] ?? description) : t.members.beyondRole}
                />
              );
            })}
          </Stack>
        </Radio.Group>
      )}
    </StateView>
  );
}
