import { Button, Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type AlertRule, deleteRule, ruleQuery } from "../../api/rules.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

/** Actions on an alert rule. */
export function RuleActions({ rule }: { readonly rule: AlertRule }) {
  const { name } = rule.settings;
  const may = useMay();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [isRemoving, setRemoving] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteRule(name, rule.revision),
    onSuccess: async () => {
      await navigate({ to: "/alert-rules", ignoreBlocker: true });
      queryClient.removeQueries({ queryKey: ruleQuery(name).queryKey });
      await queryClient.invalidateQueries({ queryKey: ["alert-rules", "list"] });
    },
    // After a change by another member, the next try is based on the present revision.
    onError: () => void queryClient.invalidateQueries({ queryKey: ruleQuery(name).queryKey }),
  });
  if (!may("alerts.write")) return null;
  return (
    <div className="row">
      <Button
        variant="default"
        renderRoot={(props) => <Link to="/alert-rules/-/new" search={{ from: name }} {...props} />}
      >
        {t.rules.duplicate}
      </Button>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default">{t.rules.more}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setRemoving(true)}>{t.rules.remove}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isRemoving && (
        <Confirm
          title={t.rules.removeTitle(name)}
          detail={t.rules.removeDetail}
          action={t.rules.remove}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setRemoving(false)}
        />
      )}
    </div>
  );
}
