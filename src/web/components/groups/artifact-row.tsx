"use client";

import type { Artifact } from "../../../schema/artifact.ts";
import { sizeOf } from "../../../schema/size.ts";
import { visibleText } from "../../format/visible-text.ts";
import { artifactHash } from "../../live/use-open-artifact.ts";
import { Age } from "../elements/age.tsx";
import { Icon } from "../elements/icon.tsx";
import { artifactIcon } from "./artifact-kind.ts";

/** A file in a list. Its name is somebody else's. */
export const ArtifactRow = ({ artifact }: { artifact: Artifact }) => (
  <li>
    <a
      href={artifactHash(artifact.path)}
      title={visibleText(artifact.path)}
      className="-mx-1.5 flex min-h-[30px] items-center gap-2 rounded-1 px-1.5 hover:bg-hover focus-visible:-outline-offset-2 max-rail:min-h-11"
    >
      <Icon of={artifactIcon(artifact)} className="size-4 text-ink-2" />
      <code className="min-w-0 truncate bg-transparent! p-0!">
        <bdi>{visibleText(artifact.path)}</bdi>
      </code>
      <span className="ml-auto flex flex-none gap-2 text-xs text-ink-3 tabular-nums">
        <span>{sizeOf(artifact.size)}</span>
        <Age at={artifact.modifiedAt} />
      </span>
    </a>
  </li>
);
