import { TextInput } from "@mantine/core";
import { useState } from "react";
import { encode } from "uqr";
import { confirmTotp } from "../../api/factors.ts";
import { CopyField } from "../../parts/copy-field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

interface SetUpTotpProps {
  readonly secret: string;
  /** The secret as an `otpauth://` URL. */
  readonly url: string;
  /** Called with the recovery codes; empty if the user already has some. */
  readonly onDone: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Shows the secret of an authenticator app, and takes the code that confirms it. */
export function SetUpTotp({ secret, url, onDone, onClose }: SetUpTotpProps) {
  const [code, setCode] = useState("");
  const confirm = useMutation({
    mutationFn: confirmTotp,
    onSuccess: ({ recovery_codes }) => onDone(recovery_codes),
  });
  return (
    <FormDialog
      title={t.user.setUpTotp}
      detail={t.user.setUpTotpDetail}
      action={t.user.confirm}
      isPending={confirm.isPending}
      error={confirm.error}
      onSubmit={() => confirm.mutate(code)}
      onClose={onClose}
    >
      <QrCode text={url} />
      <CopyField label={t.user.secretLabel} value={secret} />
      <TextInput
        label={t.user.sixDigits}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: 0 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t.user.qr}>
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
