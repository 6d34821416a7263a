/** What every control for a text is given. */
export type ControlProps = {
  text: string;
  onText: (text: string) => void;
  onBlur: () => void;
  placeholder: string | undefined;
  control: { id: string; "aria-describedby": string; invalid: boolean };
};
