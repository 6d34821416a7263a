import type { Metadata } from "next";
import Link from "next/link";
import { buttonClass } from "../components/elements/button.tsx";
import { Page } from "../components/groups/page.tsx";
import { PageHead } from "../components/groups/page-head.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <Page>
      <PageHead title="Nothing is here">The address is mistyped, or what it named was deleted.</PageHead>
      <Link href="/" prefetch={false} className={buttonClass("primary")}>
        Go to the hall
      </Link>
    </Page>
  );
}
