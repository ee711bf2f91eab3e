import { Radio, Stack } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { sessionQuery } from "../../api/session.ts";
import { t } from "../../texts/texts.ts";
import { isWithin, roleNames } from "./role-permissions.ts";

interface RoleFieldProps {
  readonly value: string;
  readonly onChange: (role: string) => void;
  readonly error?: React.ReactNode;
}

/** Choice of a role, each with what it may do. Roles beyond the own one cannot be chosen. */
export function RoleField({ value, onChange, error }: RoleFieldProps) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return (
    <Radio.Group label={t.members.role} value={value} onChange={onChange} error={error}>
      <Stack gap="xs" mt={6}>
        {roleNames.map((role) => {
          const isOpen = isWithin(role, session.permissions);
          return (
            <Radio
              key={role}
              value={role}
              disabled={!isOpen}
              label={t.user.roles[role] ?? role}
              description={isOpen ? t.roles.details[role] : t.members.beyondRole}
            />
          );
        })}
      </Stack>
    </Radio.Group>
  );
}
