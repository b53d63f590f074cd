/** Shown while the stage has no tiles. */
export function Waiting({ title, words, logoUrl }: { title: string; words: string; logoUrl?: string | null }) {
  return (
    <div className="waiting">
      {logoUrl && <img className="waiting-logo" src={logoUrl} alt="" />}
      <p className="waiting-title">{title}</p>
      <p className="waiting-words">{words}</p>
    </div>
  );
}
