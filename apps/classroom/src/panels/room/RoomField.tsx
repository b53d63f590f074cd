import { useId } from 'react';

interface Props {
  name: string;
  label: string;
  value: string;
  onChange(value: string): void;
  problem: string | undefined;
  hint?: string | undefined;
  isNumber?: boolean;
  /** Number of lines; the field is a text area if set. */
  rows?: number;
}

export function RoomField({ name, label, value, onChange, problem, hint, isNumber = false, rows }: Props) {
  const id = useId();
  const shared = {
    id,
    name,
    value,
    'aria-invalid': problem !== undefined,
    'aria-describedby': [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {rows ? <textarea rows={rows} dir="auto" {...shared} /> : <input dir="auto" inputMode={isNumber ? 'numeric' : 'text'} {...shared} />}
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p className="field-problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
