interface ProblemProps {
  id?: string;
  text: string | undefined;
  /** False for what the API says, which is in English. */
  isTranslated?: boolean;
}

/** What is wrong with a value. */
export function Problem({ id, text, isTranslated = false }: ProblemProps) {
  if (!text) return undefined;
  return (
    <p id={id} className="field-problem wide" lang={isTranslated ? undefined : 'en'} role="alert">
      {text}
    </p>
  );
}
