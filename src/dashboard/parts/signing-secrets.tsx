import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { t } from "../texts/texts.ts";
import { Answer } from "./answer.tsx";
import { RotateSecret } from "./rotate-secret.tsx";
import { Row, RowCard } from "./row-list.tsx";
import { SecretOnce } from "./secret-once.tsx";
import { timeText } from "./time.tsx";

/** A secret that signs requests, without its value. */
interface SigningSecret {
  readonly created_at: string;
  /** Time until which it signs; undefined: until it is rotated. */
  readonly expires_at?: string | undefined;
}

interface SigningSecretsProps<Secret extends SigningSecret> {
  readonly title: string;
  readonly secrets: readonly Secret[];
  readonly mayRotate: boolean;
  /** @returns the new secret; undefined: it is not secret, and is not shown once */
  readonly rotate: (overlapSeconds: number) => Promise<string | undefined>;
  readonly onRotated: () => void;
  /** Title of the dialog with the new secret. */
  readonly rotatedTitle: string;
  /** Text before the time of creation. */
  readonly detailOf?: (secret: Secret) => string;
  /** Content of the row of a secret. */
  readonly children?: (secret: Secret) => ReactNode;
}

/** The secrets that sign requests, without their values, and their rotation. */
export function SigningSecrets<Secret extends SigningSecret>(props: SigningSecretsProps<Secret>) {
  const { title, secrets, mayRotate, rotate, onRotated, rotatedTitle, detailOf, children } = props;
  const [isRotating, setRotating] = useState(false);
  const [revealed, setRevealed] = useState<string>();
  const now = new Date();
  const former = secrets.find(({ expires_at }) => expires_at !== undefined)?.expires_at;
  return (
    <>
      <RowCard
        title={title}
        action={
          mayRotate && (
            <Button variant="default" onClick={() => setRotating(true)}>
              {t.webhooks.rotate}
            </Button>
          )
        }
      >
        <ul className="entries">
          {secrets.map((secret) => {
            const { created_at: createdAt, expires_at: expiresAt } = secret;
            const created = t.webhooks.secretCreated(timeText(createdAt, now, true));
            return (
              <Row
                key={createdAt}
                title={
                  expiresAt === undefined
                    ? t.webhooks.secretCurrent
                    : t.webhooks.secretFormer(timeText(expiresAt, now, true))
                }
                detail={detailOf ? `${detailOf(secret)}. ${created}` : created}
              >
                {children?.(secret)}
              </Row>
            );
          })}
        </ul>
        {former !== undefined && (
          <div className="body">
            <Answer tone="warn">
              <p>{t.webhooks.formerHint(timeText(former, now, true))}</p>
            </Answer>
          </div>
        )}
      </RowCard>
      {isRotating && (
        <RotateSecret
          rotate={rotate}
          onRotated={(secret) => {
            setRotating(false);
            setRevealed(secret);
            onRotated();
          }}
          onClose={() => setRotating(false)}
        />
      )}
      {revealed !== undefined && (
        <SecretOnce
          title={rotatedTitle}
          secrets={[{ label: t.webhooks.secret, value: revealed }]}
          onClose={() => setRevealed(undefined)}
        />
      )}
    </>
  );
}
