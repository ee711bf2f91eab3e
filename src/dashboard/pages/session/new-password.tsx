import { PasswordInput } from "@mantine/core";
import { t } from "../../texts/texts.ts";

interface NewPasswordProps {
  /** Address of the user, for password managers. */
  readonly email: string;
  /** The current password; missing if the form does not ask for it. */
  readonly current?: string;
  readonly onCurrent?: (text: string) => void;
  readonly label?: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** The fields of a new password. */
export function NewPassword(props: NewPasswordProps) {
  const { email, current, onCurrent, label = t.session.newPassword, value, onChange } = props;
  return (
    <>
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      {onCurrent && (
        <PasswordInput
          label={t.session.currentPassword}
          autoComplete="current-password"
          required
          data-autofocus
          value={current ?? ""}
          onChange={(event) => onCurrent(event.currentTarget.value)}
        />
      )}
      <PasswordInput
        label={label}
        description={t.session.passwordRule}
        autoComplete="new-password"
        required
        minLength={12}
        maxLength={256}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </>
  );
}
