import './switch.css';

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
