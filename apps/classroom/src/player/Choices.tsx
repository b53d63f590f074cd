import { Captions, CaptionsOff, Check } from 'lucide-react';
import { Menu, MenuHeading, MenuItem } from '../ui/Menu.js';
import { useAround, usePlayer } from './context.js';
import { RATES } from './player-state.js';

const tick = (isChosen: boolean) => isChosen && <Check aria-hidden />;

export function SpeedMenu() {
  const { player, words } = useAround();
  const current = usePlayer((state) => state.rate);
  const items = RATES.map((rate) => (
    <MenuItem
      key={rate}
      isChosen={rate === current}
      icon={tick(rate === current)}
      onChoose={() => player.setRate(rate)}
      action={`speed-${rate}`}
    >
      {`${rate}×`}
    </MenuItem>
  ));
  return (
    <Menu
      label={`${words.speed}: ${current}×`}
      items={[<MenuHeading key="heading">{words.speed}</MenuHeading>, ...items]}
      className="icon-button text-button"
      action="speed"
    >
      {`${current}×`}
    </Menu>
  );
}

export function QualityMenu() {
  const { player, words } = useAround();
  const qualities = usePlayer((state) => state.qualities);
  const chosen = usePlayer((state) => state.quality);
  const playing = usePlayer((state) => state.playing);
  if (qualities.length < 2) return null;
  const labelOf = (id: number | null) => qualities.find((quality) => quality.id === id)?.label;
  const now = labelOf(chosen ?? playing);
  const automatic = chosen === null && now ? `${words.automatic} (${now})` : words.automatic;
  const choices = [...qualities, { id: null, label: automatic }];
  const items = choices.map(({ id, label }) => (
    <MenuItem
      key={id}
      isChosen={id === chosen}
      icon={tick(id === chosen)}
      onChoose={() => player.choose(id)}
      action={`quality-${id === null ? 'auto' : label}`}
    >
      {label}
    </MenuItem>
  ));
  return (
    <Menu
      label={`${words.quality}: ${now ?? words.automatic}`}
      items={[<MenuHeading key="heading">{words.quality}</MenuHeading>, ...items]}
      className="icon-button text-button"
      action="quality"
    >
      {now ?? words.automatic}
    </Menu>
  );
}

export function CaptionsMenu() {
  const { player, words } = useAround();
  const captions = usePlayer((state) => state.captions);
  const shown = usePlayer((state) => state.caption);
  if (captions.length === 0) return null;
  const choices = [{ id: null, label: words.off }, ...captions];
  const items = choices.map(({ id, label }) => (
    <MenuItem
      key={id}
      isChosen={id === shown}
      icon={tick(id === shown)}
      onChoose={() => player.showCaption(id)}
      action={`captions-${id ?? 'off'}`}
    >
      {label}
    </MenuItem>
  ));
  const label = choices.find(({ id }) => id === shown)?.label ?? words.off;
  return (
    <Menu label={words.captionsAre(label)} items={[<MenuHeading key="heading">{words.captions}</MenuHeading>, ...items]} action="captions">
      {shown === null ? <CaptionsOff aria-hidden /> : <Captions aria-hidden />}
    </Menu>
  );
}
