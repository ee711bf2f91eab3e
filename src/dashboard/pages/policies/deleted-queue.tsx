import { Link } from "@tanstack/react-router";
import { PageHead } from "../../parts/page-head.tsx";
import { t } from "../../texts/texts.ts";
import { Queue } from "./queue.tsx";

/** The queue of a deleted policy, which waiting messages still use. */
export function DeletedQueue({ name }: { readonly name: string }) {
  return (
    <>
      <PageHead
        title={name}
        detail={t.policies.isDeleted}
        above={
          <Link to="/policies" className="link">
            {t.policies.title}
          </Link>
        }
      />
      <Queue name={name} />
    </>
  );
}
