/** Shown while the stage has no tiles. */
export function EmptyStage({ title, text, logoUrl }: { title: string; text: string; logoUrl?: string | null }) {
  return (
    <div className="waiting">
      {logoUrl && <img className="waiting-logo" src={logoUrl} alt="" />}
      <p className="waiting-title">{title}</p>
      <p className="waiting-words">{text}</p>
    </div>
  );
}
