import { Captions, CaptionsOff, Check } from 'lucide-react';
import { Menu, MenuHeading, MenuItem } from '../ui/Menu.js';
import { RATES, usePlayer, usePlayerContext } from './player.js';

const checkIcon = (isChosen: boolean) => isChosen && <Check aria-hidden />;

export function SpeedMenu() {
  const { player, texts } = usePlayerContext();
  const current = usePlayer((state) => state.rate);
  const items = RATES.map((rate) => (
    <MenuItem
      key={rate}
      isChosen={rate === current}
      icon={checkIcon(rate === current)}
      onChoose={() => player.setRate(rate)}
      action={`speed-${rate}`}
    >
      {`${rate}×`}
    </MenuItem>
  ));
  return (
    <Menu
      label={`${texts.speed}: ${current}×`}
      items={[<MenuHeading key="heading">{texts.speed}</MenuHeading>, ...items]}
      className="icon-button text-button"
      action="speed"
    >
      {`${current}×`}
    </Menu>
  );
}

export function QualityMenu() {
  const { player, texts } = usePlayerContext();
  const qualities = usePlayer((state) => state.qualities);
  const chosen = usePlayer((state) => state.quality);
  const playing = usePlayer((state) => state.playing);
  if (qualities.length < 2) return null;
  const labelOf = (id: number | null) => qualities.find((quality) => quality.id === id)?.label;
  const now = labelOf(chosen ?? playing);
  const automatic = chosen === null && now ? `${texts.automatic} (${now})` : texts.automatic;
  const choices = [...qualities, { id: null, label: automatic }];
  const items = choices.map(({ id, label }) => (
    <MenuItem
      key={id}
      isChosen={id === chosen}
      icon={checkIcon(id === chosen)}
      onChoose={() => player.setQuality(id)}
      action={`quality-${id === null ? 'auto' : label}`}
    >
      {label}
    </MenuItem>
  ));
  return (
    <Menu
      label={`${texts.quality}: ${now ?? texts.automatic}`}
      items={[<MenuHeading key="heading">{texts.quality}</MenuHeading>, ...items]}
      className="icon-button text-button"
      action="quality"
    >
      {now ?? texts.automatic}
    </Menu>
  );
}

export function CaptionsMenu() {
  const { player, texts } = usePlayerContext();
  const captions = usePlayer((state) => state.captions);
  const shown = usePlayer((state) => state.caption);
  if (captions.length === 0) return null;
  const choices = [{ id: null, label: texts.off }, ...captions];
  const items = choices.map(({ id, label }) => (
    <MenuItem
      key={id}
      isChosen={id === shown}
      icon={checkIcon(id === shown)}
      onChoose={() => player.showCaption(id)}
      action={`captions-${id ?? 'off'}`}
    >
      {label}
    </MenuItem>
  ));
  const label = choices.find(({ id }) => id === shown)?.label ?? texts.off;
  return (
    <Menu label={texts.captionsAre(label)} items={[<MenuHeading key="heading">{texts.captions}</MenuHeading>, ...items]} action="captions">
      {shown === null ? <CaptionsOff aria-hidden /> : <Captions aria-hidden />}
    </Menu>
  );
}
