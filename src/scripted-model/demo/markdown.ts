import type { Turn } from "../script.ts";
import { saying } from "./saying.ts";

const sample = `this is what answers can look like.

## A heading

A paragraph with *emphasis*, **weight**, ~~second thoughts~~ and \`code\`. Links show where they lead: [example.org](https://example.org/).

1. First
2. Second
   - with a point below
   - and another

> A quotation stands apart.

| member | kind | jobs |
| --- | --- | ---: |
| example | tools | 0 |
| researcher | worker | 12 |

\`\`\`ts
/** Code keeps its spaces, and a long line scrolls by itself instead of widening the page. */
export const greet = (name: string): string => \`Good morning, \${name}. The hall is open, the kettle is on, and nothing is running.\`;
\`\`\`

- [x] a task that is done
- [ ] one that is not

Raw HTML stays text: <b onclick="alert(1)">not bold</b>. Unicode too: 職人, ремесло, τέχνη, 🛠️.

---

That is all of it.`;

export const markdownTurns: readonly Turn[] = [{ when: { ...saying("markdown"), step: 1 }, reply: { text: sample } }];
