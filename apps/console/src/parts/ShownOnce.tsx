/** A secret that no later answer contains. */
export const ShownOnce = ({ text, value }: { text: string; value: string }) => (
  <p role="status" className="secret">
    {text} <code>{value}</code>
  </p>
);
