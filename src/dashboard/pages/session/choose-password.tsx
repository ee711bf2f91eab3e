import { Button, Stack } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { NewPassword } from "./new-password.tsx";

interface ChoosePasswordProps<Result> {
  readonly detail: string;
  readonly email: string;
  readonly label?: string;
  readonly action: string;
  readonly send: (password: string) => Promise<Result>;
  readonly onDone: (result: Result) => unknown;
  /** Further fields above the password fields. */
  readonly children?: ReactNode;
}

/** The form of a page for choosing a password. */
export function ChoosePassword<Result>(props: ChoosePasswordProps<Result>) {
  const { detail, email, label = t.common.password, action, send, onDone, children } = props;
  const [password, setPassword] = useState("");
  const choose = useMutation({ mutationFn: () => send(password), onSuccess: onDone });

  function submit(event: FormEvent) {
    event.preventDefault();
    choose.mutate();
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <p className="muted tight">{detail}</p>
        {children}
        <NewPassword email={email} label={label} value={password} onChange={setPassword} />
        <FormFault error={choose.error} />
        <Button type="submit" loading={choose.isPending}>
          {action}
        </Button>
      </Stack>
    </form>
  );
}
