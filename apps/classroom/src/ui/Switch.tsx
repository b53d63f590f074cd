import './switch.css';

interface SwitchProps {
  name: string;
  label: string;
  hint: string;
  isOn: boolean;
  onChange(isOn: boolean): void;
}

/** Something that is on or off, and what it means. */
export const Switch = ({ name, label, hint, isOn, onChange }: SwitchProps) => (
  <label className="switch">
    <input type="checkbox" role="switch" data-action={name} checked={isOn} onChange={({ target }) => onChange(target.checked)} />
    <span>
      {label}
      <br />
      <span className="quiet">{hint}</span>
    </span>
  </label>
);

interface ChoiceProps {
  /** What the choices exclude each other by. */
  group: string;
  /** Name by which tests find it. */
  name: string;
  label: string;
  hint: string;
  isChosen: boolean;
  onChoose(): void;
}

/** A choice that excludes the others of its group, and what it means. */
export const Choice = ({ group, name, label, hint, isChosen, onChoose }: ChoiceProps) => (
  <label className="switch">
    <input type="radio" name={group} data-action={name} checked={isChosen} onChange={onChoose} />
    <span>
      {label}
      <br />
      <span className="quiet">{hint}</span>
    </span>
  </label>
);
