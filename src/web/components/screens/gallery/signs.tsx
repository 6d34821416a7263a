import { MemberMonogram, SquareMonogram, WorkerMonogram } from "../../elements/monogram.tsx";
import { Status } from "../../elements/status.tsx";
import type { StatusName } from "../../elements/status.tsx";
import { Flow, Remark } from "./arrange.tsx";

const work: StatusName[] = ["idle", "queued", "running", "waiting", "blocked", "completed", "failed", "expired", "cancelled"];
const members: StatusName[] = ["connected", "disconnected", "error", "warning"];

export const StatusSamples = () => (
  <>
    <Flow>
      {work.map((name) => (
        <Status key={name} of={name} />
      ))}
    </Flow>
    <Flow>
      {members.map((name) => (
        <Status key={name} of={name} />
      ))}
    </Flow>
    <Remark>Nine silhouettes of our own, readable without colour. A resting state colours its icon only.</Remark>
  </>
);

const workers = ["Hollis", "Maren", "Ansel", "Juno", "Percy", "Edda", "Runa"];
const memberNames = ["files", "git", "postgres", "browser", "search", "researcher", "example"];

export const MonogramSamples = () => (
  <>
    <Flow>
      {workers.map((name) => (
        <WorkerMonogram key={name} id={name.toLowerCase()} name={name} size={32} />
      ))}
    </Flow>
    <Flow>
      {memberNames.map((name) => (
        <MemberMonogram key={name} name={name} size={30} />
      ))}
    </Flow>
    <Flow>
      <SquareMonogram label="A person" size={28}>
        IO
      </SquareMonogram>
      <WorkerMonogram id="hollis" name="Hollis" size={18} />
      <WorkerMonogram id="hollis" name="Hollis" size={24} />
      <MemberMonogram name="postgres" size={18} />
      <MemberMonogram name="postgres" size={24} />
      <Remark>person; 18 and 24 px</Remark>
    </Flow>
  </>
);
