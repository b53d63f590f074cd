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
