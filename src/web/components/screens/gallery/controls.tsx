import { Ellipsis, FilePlus2, TriangleAlert, Wrench } from "lucide-react";
import { Button } from "../../elements/button.tsx";
import { Checkbox } from "../../elements/checkbox.tsx";
import { Chip } from "../../elements/chip.tsx";
import { Count } from "../../elements/count.tsx";
import { Field } from "../../elements/field.tsx";
import { Icon } from "../../elements/icon.tsx";
import { Input, Select, TextArea } from "../../elements/input.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { Meter } from "../../elements/meter.tsx";
import { Segment } from "../../elements/segment.tsx";
import { Switch } from "../../elements/switch.tsx";
import { Flow, Remark, Stack } from "./arrange.tsx";

export const ButtonSamples = () => (
  <>
    <Flow>
      <Button variant="primary" hotkey="N">
        Primary
      </Button>
      <Button variant="brass" hotkey="A">
        Decide
      </Button>
      <Button>Default</Button>
      <Button variant="ghost">Ghost</Button>
      <Button variant="danger">Danger</Button>
      <Button variant="confirm">Confirm loss</Button>
    </Flow>
    <Flow>
      <Button className="outline-2 outline-offset-2 outline-focus">Focused</Button>
      <Button disabledBecause="It shows how a disabled button looks.">Disabled</Button>
      <Button busy>Working</Button>
      <Button size="sm">Small</Button>
      <Button size="icon" aria-label="More" icon={<Icon of={Ellipsis} />} />
      <span className="flex gap-1">
        <Kbd>Ctrl K</Kbd>
        <Kbd>Esc</Kbd>
      </span>
    </Flow>
  </>
);

export const MeterSamples = () => (
  <Stack>
    <Meter label="Turns" value={31} max={60} text="31 of 60" />
    <Meter label="Cost" value={1.64} max={2} text="$1.64 of $2.00" />
    <Meter label="Time" value={94} max={90} text="94 of 90 min" />
    <Remark>The tick is at 80%; from there on a warning is shown.</Remark>
  </Stack>
);

export const FieldSamples = () => (
  <Stack>
    <Field htmlFor="sample-name" label="Name" aside="required" hint="How you find it again.">
      <Input id="sample-name" placeholder="What it is about" aria-describedby="sample-name-hint" />
    </Field>
    <Field htmlFor="sample-limit" label={<code>timeout_ms</code>} aside="integer" error="At most 30000.">
      <Input id="sample-limit" defaultValue="60000" invalid aria-describedby="sample-limit-error" />
    </Field>
    <Field htmlFor="sample-text" label="Starting context" aside="optional">
      <TextArea id="sample-text" rows={2} defaultValue="Several lines of text." />
    </Field>
    <Field htmlFor="sample-choice" label="Model">
      <Select id="sample-choice" defaultValue="one">
        <option value="one">The hall&apos;s own choice</option>
        <option value="two">Another one</option>
      </Select>
    </Field>
    <Checkbox defaultChecked>Ticked</Checkbox>
    <Checkbox disabled>Unavailable: it is not connected</Checkbox>
    <Switch defaultChecked>On</Switch>
    <Switch>Off</Switch>
  </Stack>
);

const small = "size-[13px]";

export const ChoiceSamples = () => (
  <>
    <Flow>
      <Chip icon={<Icon of={Wrench} className={small} />}>git-write</Chip>
      <Chip icon={<Icon of={FilePlus2} className={small} />}>New file</Chip>
      <Chip warning icon={<Icon of={TriangleAlert} className={small} />}>
        Outside the folder
      </Chip>
    </Flow>
    <Flow>
      <Segment
        label="Sample choice"
        value="all"
        options={[
          { value: "all", label: "All", count: 9 },
          { value: "running", label: "Running", count: 2 },
          { value: "ended", label: "Ended", count: 4 },
        ]}
      />
      <Count of={5} label="waiting for you" yours />
      <Count of={118} label="done" />
    </Flow>
  </>
);
