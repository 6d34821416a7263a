import { Page } from "../groups/page.tsx";
import { PageHead } from "../groups/page-head.tsx";

export const Gallery = () => (
  <Page>
    <PageHead title="Components">Every part the pages are made of, in its states.</PageHead>
  </Page>
);
